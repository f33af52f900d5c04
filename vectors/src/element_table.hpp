// Tables of single elements: every (code, scale) pair of a page format with its product in one
// destination, and conversions at every code, midpoint and neighbour. They are the smallest golden
// vectors, and the only ones that show what a page cannot (FAULTS that are masked by the page's own
// products: a carry, a double rounding, scale bytes whose products all round to zero).
//
// A table is a problem of one-dimensional tensors: element i of the output is made from element i
// of each input. Inputs are codes as stored (U8, or the bits of F32). Conversions have no choices
// of a profile; products have those of decode_pages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "oracle/numbers/dtype.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/profile.hpp"

namespace harness {

// e2m1 code times block scale: tensors `code`, `scale` and `value`, pair i = 16 * scale + code.
struct PairTable {
  oracle::FormatSpec scale_format;
};

// One code into another format: tensors `source` and `value`.
struct ConversionTable {
  oracle::FormatSpec source;
  oracle::Rounding rounding;
  oracle::SpecialInputs special;
};

struct ElementTable {
  std::string_view name;  // "mxfp4_to_f32"
  std::string_view comment;
  std::variant<PairTable, ConversionTable> kind;
  oracle::FormatSpec destination;
  oracle::Overflow overflow;
};

std::span<const ElementTable> all_element_tables();
// Of a problem's operation: "element/NAME".
std::string operation_of(const ElementTable& table);
const ElementTable* element_table_of(std::string_view operation);

// The destination as the oracle's readers name it. Precondition: a table of pairs.
oracle::Dtype destination_of(const ElementTable& table);

// The problem, outputs holding their fill, and its exact answer for any inputs of that table.
Problem problem_of(const ElementTable& table);
// Error: a tensor is missing or has another dtype or size than the table's problem.
Result<Outputs> expected_of(const ElementTable& table, const Problem& problem,
                            const oracle::Profile& profile);

// The format of the output, and what element `index` was made from, decoded, in reading order.
nlohmann::ordered_json site_of(const ElementTable& table, const Problem& problem,
                               std::uint64_t index);

// A code with its value, in decimals where they are few, else as an integer times a power of two:
// "0x7e (448)", "0x00400000 (2^-127)".
std::string code_in_words(const oracle::FormatSpec& format, std::uint32_t code);
std::string exact_in_words(const oracle::Exact& value);

// Element `index` of little-endian elements of `dtype`.
std::uint32_t element_bits(std::span<const std::uint8_t> bytes, DType dtype, std::uint64_t index);

}  // namespace harness
