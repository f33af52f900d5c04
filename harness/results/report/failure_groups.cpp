#include "harness/results/report/failure_groups.hpp"

#include <map>
#include <tuple>

#include "harness/results/report/report.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {

std::vector<FailureGroup> failure_groups(const ResultsFile& results) {
  std::vector<FailureGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const CaseRecord& record : results.cases) {
    if (record.verdict == Verdict::pass) continue;
    FailureGroup group{
        std::string(status_of(record)), record.diagnosis.fault_class, row_name(record), {}};
    const auto [place, is_new] =
        places.try_emplace({group.status, group.fault_class, group.row}, groups.size());
    if (is_new) groups.push_back(std::move(group));
    groups[place->second].records.push_back(&record);
  }
  return groups;
}

}  // namespace harness
