#include "harness/results/verdict/ecc_rise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace harness {
namespace {

std::optional<std::uint64_t> counter(const nlohmann::ordered_json& board, const char* name) {
  const auto ecc = board.find("ecc");
  if (ecc == board.end() || !ecc->is_object()) return {};
  const auto count = ecc->find(name);
  if (count == ecc->end() || !count->is_number_unsigned()) return {};
  return count->get<std::uint64_t>();
}

}  // namespace

std::string EccRise::text() const {
  return fmt::format("{} {} ECC error{} during the run", by,
                     corrected ? "corrected" : "uncorrected", by == 1 ? "" : "s");
}

std::vector<EccRise> ecc_rises(std::span<const BoardRecord> boards) {
  std::vector<EccRise> rises;
  for (const BoardRecord& board : boards) {
    for (const bool corrected : {false, true}) {
      const char* const name = corrected ? "corrected" : "uncorrected";
      const auto before = counter(board.before, name);
      const auto after = counter(board.after, name);
      if (!before || !after || *after <= *before) continue;
      const auto same = std::find_if(rises.begin(), rises.end(), [&](const EccRise& rise) {
        return rise.device == board.device && rise.corrected == corrected;
      });
      if (same == rises.end()) {
        rises.push_back({board.device, corrected, *after - *before});
      } else {
        same->by += *after - *before;
      }
    }
  }
  return rises;
}

}  // namespace harness
