// What `fp4cts fuzz --json` prints (schema: harness/schema/fuzz.schema.json).
#include "harness/run/fuzz.hpp"

namespace harness {
namespace {

nlohmann::ordered_json to_json(const FuzzRow& row) {
  return {{"operation", row.operation},
          {"path", row.path},
          {"device", row.device},
          {"judged", row.judged},
          {"mismatches", row.mismatches},
          {"errors", row.errors},
          {"kinds", row.kinds},
          {"given_up", row.given_up},
          {"coverage", harness::to_json(row.coverage)},
          {"missing_bins", row.missing_bins}};
}

}  // namespace

nlohmann::ordered_json to_json(const FuzzFailure& failure) {
  return {{"record", "failure"},
          {"found_by", failure.found_by},
          {"file", failure.file.string()},
          {"spec", failure.spec},
          {"tried", failure.tried},
          {"smallest", failure.smallest},
          {"case", to_json(failure.record)}};
}

nlohmann::ordered_json to_json(const FuzzSummary& summary) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const FuzzRow& row : summary.rows) rows.push_back(to_json(row));
  return {{"record", "summary"},
          {"cases", summary.total.cases},
          {"judged", summary.total.judged},
          {"failures", summary.total.failures},
          {"mismatches", summary.mismatches()},
          {"errors", summary.errors()},
          {"replayed", summary.replayed},
          {"still_fail", summary.still_fail},
          {"not_replayed", summary.not_replayed},
          {"interrupted", summary.interrupted},
          {"seconds", summary.total.seconds},
          {"rows", std::move(rows)}};
}

}  // namespace harness
