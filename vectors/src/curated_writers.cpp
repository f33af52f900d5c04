// Curated vectors of writers: scales, codes and slots.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "oracle/blocks/block_scale.hpp"
#include "oracle/blocks/quantize.hpp"
#include "oracle/numbers/ieee.hpp"
#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"
#include "vectors/src/curated_kinds.hpp"

namespace harness {
namespace {

using oracle::Dtype;
using Rule = std::variant<oracle::Nvfp4Rule, oracle::Mxfp4Rule>;

// A writer that lets a NaN reach the scale, and writes zeros under it.
oracle::Nvfp4Rule nvfp4_nan_scale() {
  oracle::Nvfp4Rule rule = oracle::nvfp4_generic;
  rule.nan_in_amax = oracle::NanInAmax::propagates;
  rule.nan_code = oracle::NanToE2m1::plus_zero;
  return rule;
}

Rule rule_of(CuratedInputs& inputs) {
  const std::array<std::pair<std::string_view, Rule>, 7> rules{
      {{"nvfp4_vllm_m3", oracle::vllm_m3},
       {"nvfp4_generic", oracle::nvfp4_generic},
       {"nvfp4_nan_scale", nvfp4_nan_scale()},
       {"mxfp4_round_up", oracle::mxfp4_aiter},
       {"mxfp4_floor", oracle::mxfp4_ocp_floor},
       {"mxfp4_even", oracle::mxfp4_even},
       {"mxfp4_ceil", oracle::mxfp4_ceil}}};
  const std::string name = inputs.text("rule");
  for (const auto& [known, rule] : rules) {
    if (known == name) return rule;
  }
  inputs.fault("rule", fmt::format("expected a rule such as \"nvfp4_generic\", got \"{}\"", name));
  return rules.front().second;
}

std::uint8_t scale_of(const Rule& rule, std::uint32_t amax) {
  if (const auto* nvfp4 = std::get_if<oracle::Nvfp4Rule>(&rule)) {
    return oracle::nvfp4_scale(amax, *nvfp4);
  }
  return oracle::mxfp4_scale(amax, std::get<oracle::Mxfp4Rule>(rule));
}

std::size_t block_size(const Rule& rule) {
  return static_cast<std::size_t>(std::holds_alternative<oracle::Nvfp4Rule>(rule)
                                      ? oracle::nvfp4_index_k.scale_block_size
                                      : oracle::mxfp4.scale_block_size);
}

oracle::FormatSpec scale_format(const Rule& rule) {
  return std::holds_alternative<oracle::Nvfp4Rule>(rule) ? oracle::e4m3::spec : oracle::e8m0::spec;
}

}  // namespace

Result<nlohmann::json> answer_choose_scale(CuratedInputs& inputs) {
  const Rule rule = rule_of(inputs);
  const std::uint32_t amax = inputs.hex("amax", 32);
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  return nlohmann::json{{"scale", hex_text(scale_of(rule, amax), 8)}};
}

Result<nlohmann::json> answer_encode_element(CuratedInputs& inputs) {
  const Rule rule = rule_of(inputs);
  const std::uint32_t element = inputs.hex("element", 32);
  const auto scale = static_cast<std::uint8_t>(inputs.hex("scale", 8));
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const std::uint32_t amax = element & 0x7fffffffU;
  const auto* nvfp4 = std::get_if<oracle::Nvfp4Rule>(&rule);
  const std::uint8_t code =
      nvfp4 != nullptr ? oracle::nvfp4_code(element, scale, amax, *nvfp4)
                       : oracle::mxfp4_code(element, scale, std::get<oracle::Mxfp4Rule>(rule));
  return nlohmann::json{{"code", hex_text(code, 4)}};
}

// The first elements of a scale block, the others zero; and what a reader makes of them.
Result<nlohmann::json> answer_quantize_block(CuratedInputs& inputs) {
  const Rule rule = rule_of(inputs);
  std::vector<std::uint32_t> elements = inputs.hex_list("elements", 32, block_size(rule));
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const std::size_t stated = elements.size();
  elements.resize(block_size(rule), 0);
  std::vector<std::uint8_t> codes(elements.size());
  const std::uint8_t scale = std::visit(
      [&](const auto& each) { return oracle::quantize_block(elements, each, codes); }, rule);
  nlohmann::json answer{{"scale", hex_text(scale, 8)}, {"codes", {}}, {"decoded", {}}};
  for (std::size_t i = 0; i < stated; ++i) {
    answer["codes"].push_back(hex_text(codes[i], 4));
    answer["decoded"].push_back(
        hex_text(oracle::decode_element(scale_format(rule), codes[i], scale, Dtype::e4m3,
                                        oracle::profiles::ocp()),
                 8));
  }
  return answer;
}

// The slots of a pool of NVFP4 pages that a call writes with rows of ones.
Result<nlohmann::json> answer_write_slots(CuratedInputs& inputs) {
  constexpr oracle::PageLayout layout = oracle::nvfp4_index_k;
  constexpr std::uint8_t fill = 0xee;
  const std::int64_t num_blocks = inputs.integer("num_blocks", 1, 8);
  const std::vector<std::int64_t> slots = inputs.integers("slot_mapping", INT64_MIN, INT64_MAX);
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());
  const auto rows = static_cast<std::int64_t>(slots.size());
  const std::vector<std::uint32_t> ones(static_cast<std::size_t>(rows * layout.head_dim),
                                        oracle::ieee::f32_one);
  std::vector<std::uint8_t> row_bytes(4 * ones.size());
  if (!ones.empty()) std::memcpy(row_bytes.data(), ones.data(), row_bytes.size());
  std::vector<std::uint8_t> slot_bytes(8 * slots.size());
  if (!slots.empty()) std::memcpy(slot_bytes.data(), slots.data(), slot_bytes.size());
  const std::int64_t page_bytes = layout.page_bytes();
  std::vector<std::uint8_t> pool(static_cast<std::size_t>(num_blocks * page_bytes), fill);

  oracle::WriteArguments arguments;
  arguments.rows = {row_bytes, Dtype::f32, {rows, layout.head_dim}, {layout.head_dim, 1}, 0};
  arguments.slot_mapping = {slot_bytes, Dtype::i64, {rows}, {1}, 0};
  arguments.pages = {pool,
                     Dtype::u8,
                     {num_blocks, layout.num_tokens, layout.bytes_per_token()},
                     {page_bytes, layout.bytes_per_token(), 1},
                     0};
  if (auto done = oracle::nvfp4_write_index_k(arguments, oracle::profiles::ocp()); !done) {
    return nlohmann::json{
        {"refused", done.error().code == ErrorCode::out_of_range ? "out of range" : "other"}};
  }
  nlohmann::json written = nlohmann::json::array();
  for (std::int64_t slot = 0; slot < num_blocks * layout.num_tokens; ++slot) {
    const oracle::Slot place = oracle::slot_at(slot, layout);
    const std::uint8_t* page = pool.data() + place.page_id * page_bytes;
    const bool touched = page[layout.code_offset(place.token, 0)] != fill ||
                         page[layout.scale_offset(place.token, 0)] != fill;
    if (touched) written.push_back(slot);
  }
  return nlohmann::json{{"written_slots", written}};
}

}  // namespace harness
