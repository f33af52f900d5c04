// What the reports show, as JSON: the JSON summary and, with the details of each failure, the data
// of the HTML page.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/results/report/report.hpp"

namespace harness {

// The members that the JSON summary and the page share; "failures" is an empty array.
nlohmann::ordered_json common_data(const ConcludedRun& run);
// What both say of a case that did not pass.
nlohmann::ordered_json failure_data(const CaseRecord& record);

// common_data, and: failures with their diagnosis, wrong maps (each distinct one once, failures
// refer to it by index), and counts of all pairs. A page holds 5,000 failures, and 20 of every kind
// behind them; "failures_left_out" counts the others.
nlohmann::ordered_json page_data(const ConcludedRun& run);

}  // namespace harness
