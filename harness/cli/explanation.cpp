#include "explanation.hpp"

#include <fmt/format.h>

#include <optional>

#include "oracle/describe.hpp"
#include "oracle/exact_arithmetic.hpp"
#include "oracle/formats.hpp"
#include "oracle/product.hpp"

namespace harness::cli {
namespace {

using oracle::Exact;
using oracle::FormatSpec;

// Everything that there is to say about a question.
struct Facts {
  const FormatSpec* scale_format;
  const FormatSpec* to;
  Exact scale;    // as the profile reads it
  Exact product;  // exact
  oracle::Overflow overflow;
  oracle::Encoding rounded;         // the product in the destination, by the format alone
  std::string rounding;             // the same in words
  oracle::Neighbours neighbours{};  // of a product that is a number
  std::uint32_t result;             // by the profile: what a conforming kernel stores
};

const FormatSpec& scale_spec(const Question& question) {
  if (question.scale_format == oracle::ScaleFormat::e8m0) return oracle::e8m0::spec;
  return question.profile->scale_family == oracle::E4m3Family::fnuz ? oracle::e4m3fnuz::spec
                                                                    : oracle::e4m3::spec;
}

Facts facts_of(const Question& question) {
  Facts facts{};
  const oracle::Profile& profile = *question.profile;
  facts.scale_format = &scale_spec(question);
  facts.to = &oracle::destination_format(question.destination, profile);
  facts.scale = oracle::scale_value(question.scale_format, question.scale, profile);
  facts.product = oracle::multiply(oracle::decode<oracle::e2m1>(question.code), facts.scale);
  facts.overflow = oracle::Overflow::to_inf;
  if (question.destination == oracle::Dtype::e4m3) {
    facts.overflow = profile.e4m3_overflow == oracle::E4m3Overflow::satfinite
                         ? oracle::Overflow::satfinite
                         : oracle::Overflow::to_nan;
  }
  // Neither can fail: every destination has a NaN, and those that overflow to infinity have one.
  facts.rounded = oracle::encode_traced(*facts.to, facts.product, oracle::Round::rne,
                                        facts.overflow, oracle::strict)
                      .value();
  facts.rounding = oracle::describe_rounding(*facts.to, facts.product, oracle::Round::rne,
                                             facts.overflow, oracle::strict)
                       .value();
  if (!facts.product.is_nan()) facts.neighbours = oracle::neighbours_of(*facts.to, facts.product);
  facts.result = oracle::decode_element(question.scale_format, question.code, question.scale,
                                        question.destination, profile);
  return facts;
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

}  // namespace

std::string explain(const Question& question) {
  const Facts facts = facts_of(question);
  std::string text = fmt::format(
      "{}: e2m1 times {} to {}, profile {}\n"
      "  code     {}\n"
      "  scale    {}\n"
      "  product  {}, exact\n"
      "  rounding {}\n",
      question.what, facts.scale_format->name, facts.to->name, question.profile->name,
      oracle::describe_code(oracle::e2m1::spec, question.code),
      oracle::describe_code(*facts.scale_format, question.scale), oracle::readable(facts.product),
      facts.rounding);
  const Exact by_format = oracle::decode(*facts.scale_format, question.scale);
  if (!identical(by_format, facts.scale)) {
    text += fmt::format("  profile {} reads that scale as {}\n", question.profile->name,
                        oracle::readable(facts.scale));
  }
  if (facts.result != facts.rounded.code) {
    text += fmt::format("  profile {} stores {} instead\n", question.profile->name,
                        oracle::code_and_value(*facts.to, facts.result));
  }
  return text + fmt::format("  {}   {}\n", oracle::code_bits(*facts.to) == 8 ? "byte  " : "result",
                            oracle::describe_code(*facts.to, facts.result));
}

nlohmann::ordered_json explain_as_json(const Question& question) {
  const Facts facts = facts_of(question);
  return {{"what", question.what},
          {"profile", question.profile->name},
          {"code", code_as_json(oracle::e2m1::spec, question.code)},
          {"scale", code_as_json(*facts.scale_format, question.scale)},
          {"scale_value", oracle::exact_decimal(facts.scale)},
          {"product",
           {{"decimal", oracle::exact_decimal(facts.product)},
            {"dyadic", oracle::exact_dyadic(facts.product)}}},
          {"to", facts.to->name},
          {"at_most", neighbour_as_json(*facts.to, facts.neighbours.at_most)},
          {"at_least", neighbour_as_json(*facts.to, facts.neighbours.at_least)},
          {"rounding", oracle::name_of(oracle::Round::rne)},
          {"overflow", oracle::name_of(facts.overflow)},
          {"step", oracle::name_of(facts.rounded.step)},
          {oracle::code_bits(*facts.to) == 8 ? "byte" : "bits",
           oracle::hex_code(*facts.to, facts.result)},
          {"result", code_as_json(*facts.to, facts.result)}};
}

}  // namespace harness::cli
