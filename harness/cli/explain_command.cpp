// fp4cts explain: one value by hand.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/explanation.hpp"
#include "harness/model/nearest_name.hpp"
#include "harness/run/run.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "oracle/pages/gather.hpp"

namespace harness::cli {
namespace {

// Scaled elements: by their format, or as an operation computes them.
struct Subject {
  std::string_view name;
  oracle::FormatSpec scale_format;
  bool chooses_destination;
};

const std::vector<Subject>& subjects() {
  static const auto all = [] {
    std::vector<Subject> made{{"qmul4", oracle::e4m3::spec, false},
                              {"nvfp4", oracle::e4m3::spec, true},
                              {"mxfp4", oracle::e8m0::spec, true}};
    for (const oracle::PageReader* reader : oracle::readers::all) {
      made.push_back(
          {reader->name, reader->pool->layout().scale_format, reader->destinations.size() > 1});
    }
    return made;
  }();
  return all;
}

// The input and the output of an operation that takes each value to another format: null for
// others.
std::pair<const TensorSignature*, const TensorSignature*> cast_of(const Operation* operation) {
  if (operation == nullptr) return {};
  const std::vector<TensorSignature>& tensors = operation->signature().tensors;
  if (tensors.size() != 2 || tensors.front().axes.size() != 1 ||
      tensors.front().axes != tensors.back().axes) {
    return {};
  }
  return {&tensors.front(), &tensors.back()};
}

struct Destination {
  std::string_view name;
  oracle::Dtype dtype;
};
constexpr std::array<Destination, 4> destinations{{{"e4m3", oracle::Dtype::e4m3},
                                                   {"f32", oracle::Dtype::f32},
                                                   {"bf16", oracle::Dtype::bf16},
                                                   {"f16", oracle::Dtype::f16}}};

struct ExplainOptions {
  std::string what;
  std::string code;
  std::string x;
  std::string scale;
  std::string from;
  std::string to;
  std::string profile = "ocp";
  bool json = false;
};

// The names of a table, for messages.
template <class Table>
std::string names_of(const Table& table) {
  std::string names;
  for (const auto& row : table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

template <class Table>
auto find(const Table& table, std::string_view what, const std::string& name)
    -> Result<typename Table::value_type> {
  for (const auto& row : table) {
    if (row.name == name) return row;
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("{}: expected one of {}; got '{}'", what, names_of(table), name));
}

// Bits as 0xb, 0b1011 or 11, at most `max`.
Result<std::uint32_t> bits(std::string_view what, std::string_view text, std::uint32_t max) {
  int base = 10;
  std::string_view digits = text;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) digits.remove_prefix(2);
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || error != std::errc{} || rest != end || value > max) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("{}: expected bits from 0x0 to {:#x}, as 0xb, 0b1011 or 11; "
                                    "got '{}'",
                                    what, max, text));
  }
  return value;
}

// Refuses an option that the subject has no use for, and asks for one that it needs.
Status check_given(const ExplainOptions& options, std::string_view option, const std::string& value,
                   bool needed) {
  if (value.empty() != needed) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      needed ? fmt::format("{}: {} needs it", option, options.what)
                             : fmt::format("{}: {} has none", option, options.what));
}

// The dtype that an option names, by its format or as files spell it; the only one where there is
// just one.
Result<DType> dtype_of(std::string_view option, const std::string& value,
                       const TensorSignature& tensor) {
  if (value.empty() && tensor.dtypes.size() == 1) return tensor.dtypes.front();
  std::string known;
  for (const DType dtype : tensor.dtypes) {
    if (value == format_of(dtype).name || value == name_of(dtype)) return dtype;
    known += (known.empty() ? "" : ", ") + std::string(format_of(dtype).name);
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("{}: expected one of {}; got '{}'", option, known, value));
}

Result<CastQuestion> cast_question_of(const ExplainOptions& options, const TensorSignature& source,
                                      const TensorSignature& destination) {
  for (const auto& [option, value, needed] :
       {std::tuple<const char*, const std::string&, bool>{"--x", options.x, true},
        {"--code", options.code, false},
        {"--scale", options.scale, false}}) {
    if (Status given = check_given(options, option, value, needed); !given) {
      return tl::make_unexpected(given.error());
    }
  }
  if (!options.to.empty() && destination.dtypes.size() == 1) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("--to: {} has none", options.what));
  }
  const Result<DType> from = dtype_of("--from", options.from, source);
  if (!from) return tl::make_unexpected(from.error());
  const Result<DType> to = dtype_of("--to", options.to, destination);
  if (!to) return tl::make_unexpected(to.error());
  const Cast cast{*from, *to};
  const auto casts = all_casts();
  if (std::find(casts.begin(), casts.end(), cast) == casts.end()) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("--to: {} takes wide formats to narrow ones and narrow ones to "
                                    "wide ones; got {}",
                                    options.what, name_of(cast)));
  }
  const Result<std::uint32_t> x = bits("--x", options.x, oracle::code_mask(format_of(*from)));
  if (!x) return tl::make_unexpected(x.error());
  const Result<const oracle::Profile*> profile = profile_named(options.profile);
  if (!profile) return tl::make_unexpected(profile.error());
  return CastQuestion{options.what, cast, *x, *profile};
}

Result<Question> question_of(const ExplainOptions& options) {
  const Result<Subject> subject = find(subjects(), "explain", options.what);
  if (!subject) {
    std::vector<std::string> names;
    for (const std::string_view name : explain_subjects()) names.emplace_back(name);
    return oracle::fail(
        ErrorCode::unknown_name,
        fmt::format("explain: expected one of {}; got '{}'{}", fmt::join(names, ", "), options.what,
                    did_you_mean(options.what, names)));
  }
  if (!options.to.empty() && !subject->chooses_destination) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("--to: {} always gives e4m3", options.what));
  }
  for (const auto& [option, value, needed] :
       {std::tuple<const char*, const std::string&, bool>{"--code", options.code, true},
        {"--scale", options.scale, true},
        {"--x", options.x, false},
        {"--from", options.from, false}}) {
    if (Status given = check_given(options, option, value, needed); !given) {
      return tl::make_unexpected(given.error());
    }
  }
  const Result<Destination> destination =
      find(destinations, "--to", options.to.empty() ? "e4m3" : options.to);
  if (!destination) return tl::make_unexpected(destination.error());
  const Result<std::uint32_t> code = bits("--code", options.code, 0xf);
  if (!code) return tl::make_unexpected(code.error());
  const Result<std::uint32_t> scale = bits("--scale", options.scale, 0xff);
  if (!scale) return tl::make_unexpected(scale.error());
  const Result<const oracle::Profile*> profile = profile_named(options.profile);
  if (!profile) return tl::make_unexpected(profile.error());
  return Question{options.what,
                  subject->scale_format,
                  destination->dtype,
                  static_cast<std::uint8_t>(*code),
                  static_cast<std::uint8_t>(*scale),
                  *profile};
}

template <class Asked>
int answer(const Result<Asked>& question, bool json) {
  if (!question) return fail_with(exit_usage, question.error().message);
  const std::string text = json ? explain_as_json(*question).dump(2) + '\n' : explain(*question);
  std::fputs(text.c_str(), stdout);
  return exit_conforms;
}

}  // namespace

std::vector<std::string_view> explain_subjects() {
  std::vector<std::string_view> names;
  for (const Subject& subject : subjects()) names.push_back(subject.name);
  for (const Operation* operation : all_operations()) {
    if (cast_of(operation).first != nullptr) names.push_back(operation->name());
  }
  return names;
}

void add_explain_command(CLI::App& app, const Suite& /*suite*/, Action& action) {
  CLI::App* command = app.add_subcommand(
      "explain", "one element and its scale, or one value, by hand, to the byte");
  const auto options = std::make_shared<ExplainOptions>();
  command
      ->add_option("what", options->what,
                   fmt::format("one of {}", fmt::join(explain_subjects(), ", ")))
      ->required();
  command->add_option("--code", options->code, "the e2m1 code, 0x0 to 0xf");
  command->add_option("--scale", options->scale, "the scale byte, 0x0 to 0xff");
  command->add_option("--x", options->x, "the bits of a value, for encode_e4m3 and convert");
  command->add_option("--from", options->from, "its format, for convert");
  command->add_option("--to", options->to,
                      "destination: e4m3 (the default), f32, bf16 or f16; qmul4 has e4m3 alone; "
                      "convert needs one");
  command->add_option("--profile", options->profile, "ocp unless given");
  command->add_flag("--json", options->json, "as a JSON object");
  command->callback([&action, options] {
    action = [options] {
      if (const auto [from, to] = cast_of(operation_named(options->what)); from != nullptr) {
        return answer(cast_question_of(*options, *from, *to), options->json);
      }
      return answer(question_of(*options), options->json);
    };
  });
}

}  // namespace harness::cli
