// One element times its scale, or one value, taken apart: what `explain` shows. By the oracle
// alone.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/operations/convert_spec.hpp"
#include "oracle/numbers/dtype.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/profile.hpp"

namespace harness::cli {

struct Question {
  std::string what;  // "qmul4", "mxfp4", ...
  oracle::FormatSpec scale_format = oracle::e4m3::spec;
  oracle::Dtype destination = oracle::Dtype::e4m3;
  std::uint8_t code = 0;  // four bits
  std::uint8_t scale = 0;
  const oracle::Profile* profile = nullptr;
};

// One value in another format.
struct CastQuestion {
  std::string what;  // "encode_e4m3", "convert"
  Cast cast;
  std::uint32_t x = 0;  // its bits
  const oracle::Profile* profile = nullptr;
};

// What can be asked: formats of scaled elements, and operations by their names.
std::vector<std::string_view> explain_subjects();

// For a person, several lines.
std::string explain(const Question& question);
std::string explain(const CastQuestion& question);
// "byte" is the result as a hex string, "0x7e"; for wider destinations the member is "bits".
nlohmann::ordered_json explain_as_json(const Question& question);
nlohmann::ordered_json explain_as_json(const CastQuestion& question);

}  // namespace harness::cli
