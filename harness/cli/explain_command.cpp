// fp4cts explain: one value by hand.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/explanation.hpp"
#include "harness/model/nearest_name.hpp"
#include "harness/run/run.hpp"

namespace harness::cli {
namespace {

struct Subject {
  std::string_view name;
  oracle::ScaleFormat scale_format;
  bool chooses_destination;
};
constexpr std::string_view encode_name = "encode_e4m3";
// Operations by their full names are their elements: a gather of NVFP4 pages computes e4m3 alone.
constexpr std::array<Subject, 6> subjects{
    {{"qmul4", oracle::ScaleFormat::e4m3, false},
     {"nvfp4", oracle::ScaleFormat::e4m3, true},
     {"mxfp4", oracle::ScaleFormat::e8m0, true},
     {"nvfp4_gather_index_k", oracle::ScaleFormat::e4m3, false},
     {"mxfp4_decode_pages", oracle::ScaleFormat::e8m0, true},
     {"mxfp4_gather_pages", oracle::ScaleFormat::e8m0, true}}};

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

Result<EncodeQuestion> encode_question_of(const ExplainOptions& options) {
  for (const auto& [option, value, needed] :
       {std::tuple<const char*, const std::string&, bool>{"--x", options.x, true},
        {"--code", options.code, false},
        {"--scale", options.scale, false},
        {"--to", options.to, false}}) {
    if (Status given = check_given(options, option, value, needed); !given) {
      return tl::make_unexpected(given.error());
    }
  }
  const Result<std::uint32_t> x = bits("--x", options.x, 0xffffffff);
  if (!x) return tl::make_unexpected(x.error());
  const Result<const oracle::Profile*> profile = profile_named(options.profile);
  if (!profile) return tl::make_unexpected(profile.error());
  return EncodeQuestion{*x, *profile};
}

Result<Question> question_of(const ExplainOptions& options) {
  const Result<Subject> subject = find(subjects, "explain", options.what);
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
        {"--x", options.x, false}}) {
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
  for (const Subject& subject : subjects) names.push_back(subject.name);
  names.push_back(encode_name);
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
  command->add_option("--x", options->x, "the bits of an f32, for encode_e4m3");
  command->add_option("--to", options->to,
                      "destination: e4m3 (the default), f32, bf16 or f16; qmul4 has e4m3 alone");
  command->add_option("--profile", options->profile, "ocp unless given");
  command->add_flag("--json", options->json, "as a JSON object");
  command->callback([&action, options] {
    action = [options] {
      if (options->what == encode_name) return answer(encode_question_of(*options), options->json);
      return answer(question_of(*options), options->json);
    };
  });
}

}  // namespace harness::cli
