// What the oracle answers to curated vectors, by kind.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/model/result.hpp"
#include "vectors/src/curated_inputs.hpp"

namespace harness {

// Each takes its inputs apart, checks that nothing is left over and gives the expected object.
Result<nlohmann::json> answer_decode_element(CuratedInputs& inputs);
Result<nlohmann::json> answer_convert(CuratedInputs& inputs);
Result<nlohmann::json> answer_pack_scales(CuratedInputs& inputs);
Result<nlohmann::json> answer_page_byte(CuratedInputs& inputs);
Result<nlohmann::json> answer_page_address(CuratedInputs& inputs);
Result<nlohmann::json> answer_page_size(CuratedInputs& inputs);
Result<nlohmann::json> answer_gather_pages(CuratedInputs& inputs);
Result<nlohmann::json> answer_choose_scale(CuratedInputs& inputs);
Result<nlohmann::json> answer_encode_element(CuratedInputs& inputs);
Result<nlohmann::json> answer_quantize_block(CuratedInputs& inputs);
Result<nlohmann::json> answer_write_slots(CuratedInputs& inputs);

}  // namespace harness
