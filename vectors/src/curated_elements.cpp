// Curated vectors of single elements and of bytes in one page.
#include <array>
#include <optional>
#include <utility>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/describe.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"
#include "vectors/src/curated_kinds.hpp"

namespace harness {
namespace {

using oracle::Dtype;
using oracle::FormatSpec;

constexpr std::array<std::pair<std::string_view, Dtype>, 4> destinations{
    {{"e4m3", Dtype::e4m3}, {"f32", Dtype::f32}, {"bf16", Dtype::bf16}, {"f16", Dtype::f16}}};

// Takes over a value that was looked up by name; a failure becomes a fault of that member.
template <class Value>
std::optional<Value> named(CuratedInputs& inputs, const char* key, const Result<Value>& found) {
  if (found) return *found;
  inputs.fault(key, found.error().message);
  return std::nullopt;
}

// The policies for inputs that a destination lacks: those of CUDA's conversions.
const oracle::SpecialInputs& special_of(const FormatSpec& destination) {
  if (destination == oracle::e8m0::spec) return oracle::cuda_e8m0;
  if (destination == oracle::e2m1::spec) return oracle::e2m1_nan_is_six;
  return oracle::strict;
}

}  // namespace

Result<nlohmann::json> answer_decode_element(CuratedInputs& inputs) {
  const oracle::PageLayout layout = inputs.layout("format");
  const auto code = static_cast<std::uint8_t>(inputs.hex("code", 4));
  const auto scale = static_cast<std::uint8_t>(inputs.hex("scale", 8));
  const std::string name = inputs.text("destination");
  std::optional<Dtype> destination;
  for (const auto& [known, dtype] : destinations) {
    if (known == name) destination = dtype;
  }
  if (!destination) inputs.fault("destination", "expected e4m3, f32, bf16 or f16");
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const std::uint32_t value = oracle::decode_element(layout.scale_format, code, scale, *destination,
                                                     oracle::profiles::ocp());
  return nlohmann::json{
      {"value", hex_text(value, static_cast<int>(8 * oracle::size_of(*destination)))}};
}

Result<nlohmann::json> answer_convert(CuratedInputs& inputs) {
  const auto from = named(inputs, "from", oracle::find_format(inputs.text("from")));
  const auto to = named(inputs, "to", oracle::find_format(inputs.text("to")));
  const auto mode = named(inputs, "rounding", oracle::find_round(inputs.text("rounding")));
  const auto overflow = named(inputs, "overflow", oracle::find_overflow(inputs.text("overflow")));
  const std::uint32_t code = inputs.hex("code", from ? oracle::code_bits(*from) : 8);
  const bool stochastic = mode == oracle::Round::rs;
  const std::uint32_t random = stochastic ? inputs.hex("random_bits", 32) : 0;
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const oracle::Rounding rounding =
      stochastic ? oracle::stochastic({random, 32}) : oracle::Rounding(*mode);
  return oracle::encode(*to, oracle::decode(*from, code), rounding, *overflow, special_of(*to))
      .map([&](std::uint32_t result) {
        return nlohmann::json{{"code", hex_text(result, oracle::code_bits(*to))}};
      });
}

// Four f32 scales as E8M0 bytes in one word, the first lowest; each exponent alone, mantissa cut.
Result<nlohmann::json> answer_pack_scales(CuratedInputs& inputs) {
  const std::vector<std::uint32_t> scales = inputs.hex_list("scales", 32, 4);
  if (scales.size() != 4) inputs.fault("scales", "expected four values");
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto byte =
        oracle::encode<oracle::e8m0>(oracle::decode<oracle::f32>(scales[i]), oracle::Round::rtz,
                                     oracle::Overflow::satfinite, oracle::cuda_e8m0);
    if (!byte) return tl::make_unexpected(byte.error());
    word |= *byte << (8 * i);
  }
  return nlohmann::json{{"word", hex_text(word, 32)}};
}

// One output byte of a page that is uniform but for one poked byte.
Result<nlohmann::json> answer_page_byte(CuratedInputs& inputs) {
  const oracle::PageLayout layout = inputs.layout("format");
  const auto codes = static_cast<std::uint8_t>(inputs.hex("codes", 8));
  const auto scales = static_cast<std::uint8_t>(inputs.hex("scales", 8));
  const auto poked_byte =
      static_cast<std::size_t>(inputs.integer("poked_byte", 0, layout.page_bytes() - 1));
  const auto poked = static_cast<std::uint8_t>(inputs.hex("poked_value", 8));
  const auto token = static_cast<int>(inputs.integer("token", 0, layout.num_tokens - 1));
  const auto element = static_cast<int>(inputs.integer("element", 0, layout.head_dim - 1));
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()), codes);
  std::fill_n(page.begin() + layout.scale_section_offset(), layout.scale_section_bytes(), scales);
  page[poked_byte] = poked;
  std::vector<std::uint8_t> out(
      static_cast<std::size_t>(oracle::decoded_page_bytes(layout, Dtype::e4m3)));
  oracle::decode_page(layout, page, Dtype::e4m3, out, oracle::profiles::ocp());
  const std::uint8_t value = out[static_cast<std::size_t>(token * layout.head_dim + element)];
  return nlohmann::json{{"value", hex_text(value, 8)}};
}

Result<nlohmann::json> answer_page_address(CuratedInputs& inputs) {
  const std::int64_t page = inputs.integer("page_id", 0, INT32_MAX);
  const std::int64_t stride = inputs.integer("stride_bytes", 1, INT32_MAX);
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const auto byte = static_cast<std::uint64_t>(oracle::page_offset(page, stride));
  return nlohmann::json{{"byte", hex_text(byte, 64)}};
}

Result<nlohmann::json> answer_page_size(CuratedInputs& inputs) {
  const oracle::PageLayout layout = inputs.layout("format");
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  return nlohmann::json{{"bytes", hex_text(static_cast<std::uint64_t>(layout.page_bytes()), 32)}};
}

}  // namespace harness
