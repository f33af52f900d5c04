#include <fmt/format.h>

#include <array>

#include "vectors/src/curated.hpp"
#include "vectors/src/curated_kinds.hpp"

namespace harness {
namespace {

struct Kind {
  std::string_view name;
  Result<nlohmann::json> (*answer)(CuratedInputs&);
};
constexpr std::array<Kind, 11> kinds{{
    {"choose_scale", answer_choose_scale},
    {"convert", answer_convert},
    {"decode_element", answer_decode_element},
    {"encode_element", answer_encode_element},
    {"gather_pages", answer_gather_pages},
    {"pack_scales", answer_pack_scales},
    {"page_address", answer_page_address},
    {"page_byte", answer_page_byte},
    {"page_size", answer_page_size},
    {"quantize_block", answer_quantize_block},
    {"write_slots", answer_write_slots},
}};

}  // namespace

std::vector<std::string> curated_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

Result<nlohmann::json> curated_answer(std::string_view kind, const CuratedVector& vector) {
  for (const Kind& each : kinds) {
    if (each.name != kind) continue;
    CuratedInputs inputs(vector.inputs, fmt::format("{} {}: inputs", kind, vector.id));
    return each.answer(inputs);
  }
  return oracle::fail(ErrorCode::unknown_name,
                      fmt::format("curated vectors: no kind is called \"{}\"", kind));
}

}  // namespace harness
