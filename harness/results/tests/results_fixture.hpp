// Results of a small run, as its runner would have written them: six cases of the gather on two
// paths, twelve planned records. Tests change what they are about.
#pragma once

#include <string>
#include <vector>

#include "harness/results/gate/merge.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace harness::fixture {

// What a build knows whose gather has these six cases: two each of the levels smoke, standard and
// full. Its output is the same for all paths and another one for each case and profile.
SuiteKnowledge knowledge();

// All twelve pass; the shard's own records only. Level full, every required bin hit.
ResultsFile passing_run(Shard shard = {});
// All of them with names "0.jsonl", "1.jsonl", ...
std::vector<NamedResults> shards(std::uint64_t count);

CaseRecord& record(ResultsFile& results, const std::string& key);

// Every odd element of the page is wrong, nibble_swap.
void make_mismatch(CaseRecord& record);
void make_error(CaseRecord& record);
void make_not_run(CaseRecord& record);
// Makes the end record and the coverage's verdict fit the records.
void conclude_anew(ResultsFile& results);

// What follows from the results, whose end record is first made to fit them; without a check, so
// that a test may say what no run can.
ConcludedRun concluded(ResultsFile results, std::vector<WaiverUse> waivers = {});

// The lines of a results file.
std::string text_of(const ResultsFile& results);

}  // namespace harness::fixture
