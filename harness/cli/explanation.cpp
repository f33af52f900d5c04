#include "harness/cli/explanation.hpp"

#include <fmt/format.h>

#include <optional>

#include "oracle/numbers/describe.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/pages/product.hpp"

namespace harness::cli {
namespace {

using oracle::Exact;
using oracle::FormatSpec;

// Everything that there is to say about how a value goes into its destination.
struct Rounding {
  const FormatSpec* to;
  oracle::Overflow overflow;
  oracle::Encoding rounded;         // by the format alone
  std::string in_words;             // the same
  oracle::Neighbours neighbours{};  // of a value that is a number
  std::uint32_t result;             // by the profile: what a conforming kernel stores
};

Rounding rounding_of(const Exact& value, DType destination, const oracle::Profile& profile,
                     std::uint32_t result) {
  Rounding rounding{};
  const bool of_pages = oracle::is_destination(destination);
  rounding.to =
      of_pages ? &oracle::destination_format(destination, profile) : &format_of(destination);
  const bool narrow = oracle::code_bits(*rounding.to) <= 8;
  rounding.overflow = narrow ? oracle::Overflow::satfinite : oracle::Overflow::to_inf;
  if (destination == DType::e4m3 && profile.e4m3_overflow == oracle::E4m3Overflow::to_nan) {
    rounding.overflow = oracle::Overflow::to_nan;
  }
  const oracle::SpecialInputs special = of_pages ? oracle::strict : special_inputs(destination);
  // Neither can fail: what has no NaN or infinity says what takes its place.
  rounding.rounded =
      oracle::encode_traced(*rounding.to, value, oracle::Round::rne, rounding.overflow, special)
          .value();
  rounding.in_words =
      oracle::describe_rounding(*rounding.to, value, oracle::Round::rne, rounding.overflow, special)
          .value();
  if (!value.is_nan()) rounding.neighbours = oracle::neighbours_of(*rounding.to, value);
  rounding.result = result;
  return rounding;
}

// Everything that there is to say about a question.
struct Facts {
  const FormatSpec* scale_format;
  Exact scale;    // as the profile reads it
  Exact product;  // exact
  Rounding rounding;
};

Facts facts_of(const Question& question) {
  Facts facts{};
  const oracle::Profile& profile = *question.profile;
  facts.scale_format = &oracle::scale_format_read(question.scale_format, *question.profile);
  facts.scale = oracle::scale_value(question.scale_format, question.scale, profile);
  facts.product = oracle::multiply(oracle::decode<oracle::e2m1>(question.code), facts.scale);
  facts.rounding =
      rounding_of(facts.product, question.destination, profile,
                  oracle::decode_element(question.scale_format, question.code, question.scale,
                                         question.destination, profile));
  return facts;
}

Rounding rounding_of(const CastQuestion& question) {
  return rounding_of(cast_value(question.cast, question.x, *question.profile), question.cast.to,
                     *question.profile, cast_code(question.cast, question.x, *question.profile));
}

// The source of a cast, as the profile reads it.
const FormatSpec& source_of(const CastQuestion& question) {
  return oracle::scale_format_read(format_of(question.cast.from), *question.profile);
}

// What a profile stores in place of what the format alone gives, and the result.
std::string result_lines(const Rounding& rounding, const oracle::Profile& profile) {
  std::string text;
  if (rounding.result != rounding.rounded.code) {
    text = fmt::format("  profile {} stores {} instead\n", profile.name,
                       oracle::code_and_value(*rounding.to, rounding.result));
  }
  return text + fmt::format("  {}   {}\n",
                            oracle::code_bits(*rounding.to) == 8 ? "byte  " : "result",
                            oracle::describe_code(*rounding.to, rounding.result));
}

nlohmann::ordered_json code_as_json(const FormatSpec& format, std::uint32_t code) {
  const oracle::CodeFields fields = oracle::fields_of(format, code);
  return {{"bits", oracle::hex_code(format, code)},
          {"format", format.name},
          {"sign", fields.sign},
          {"exponent_field", fields.exponent_field},
          {"mantissa_field", fields.mantissa_field},
          {"class", oracle::name_of(fields.code_class)},
          {"value", oracle::exact_decimal(fields.value)}};
}

nlohmann::ordered_json neighbour_as_json(const FormatSpec& format,
                                         const std::optional<std::uint32_t>& code) {
  if (!code) return nullptr;
  return {{"bits", oracle::hex_code(format, *code)},
          {"value", oracle::exact_decimal(oracle::decode(format, *code))}};
}

void add_rounding(nlohmann::ordered_json& json, const Rounding& rounding) {
  const FormatSpec& to = *rounding.to;
  json["to"] = to.name;
  json["at_most"] = neighbour_as_json(to, rounding.neighbours.at_most);
  json["at_least"] = neighbour_as_json(to, rounding.neighbours.at_least);
  json["rounding"] = oracle::name_of(oracle::Round::rne);
  json["overflow"] = oracle::name_of(rounding.overflow);
  json["step"] = oracle::name_of(rounding.rounded.step);
  json[oracle::code_bits(to) == 8 ? "byte" : "bits"] = oracle::hex_code(to, rounding.result);
  json["result"] = code_as_json(to, rounding.result);
}

}  // namespace

std::string explain(const Question& question) {
  const Facts facts = facts_of(question);
  std::string text = fmt::format(
      "{}: e2m1 times {} to {}, profile {}\n"
      "  code     {}\n"
      "  scale    {}\n"
      "  product  {}, exact\n"
      "  rounding {}\n",
      question.what, facts.scale_format->name, facts.rounding.to->name, question.profile->name,
      oracle::describe_code(oracle::e2m1::spec, question.code),
      oracle::describe_code(*facts.scale_format, question.scale), oracle::readable(facts.product),
      facts.rounding.in_words);
  const Exact by_format = oracle::decode(*facts.scale_format, question.scale);
  if (!identical(by_format, facts.scale)) {
    text += fmt::format("  profile {} reads that scale as {}\n", question.profile->name,
                        oracle::readable(facts.scale));
  }
  return text + result_lines(facts.rounding, *question.profile);
}

std::string explain(const CastQuestion& question) {
  const Rounding rounding = rounding_of(question);
  const FormatSpec& from = source_of(question);
  return fmt::format(
             "{}: {} to {}, profile {}\n"
             "  x        {}\n"
             "  rounding {}\n",
             question.what, from.name, rounding.to->name, question.profile->name,
             oracle::describe_code(from, question.x), rounding.in_words) +
         result_lines(rounding, *question.profile);
}

nlohmann::ordered_json explain_as_json(const Question& question) {
  const Facts facts = facts_of(question);
  nlohmann::ordered_json json{{"what", question.what},
                              {"profile", question.profile->name},
                              {"code", code_as_json(oracle::e2m1::spec, question.code)},
                              {"scale", code_as_json(*facts.scale_format, question.scale)},
                              {"scale_value", oracle::exact_decimal(facts.scale)},
                              {"product",
                               {{"decimal", oracle::exact_decimal(facts.product)},
                                {"dyadic", oracle::exact_dyadic(facts.product)}}}};
  add_rounding(json, facts.rounding);
  return json;
}

nlohmann::ordered_json explain_as_json(const CastQuestion& question) {
  nlohmann::ordered_json json{{"what", question.what},
                              {"profile", question.profile->name},
                              {"x", code_as_json(source_of(question), question.x)}};
  add_rounding(json, rounding_of(question));
  return json;
}

}  // namespace harness::cli
