// Results of a small run, as its runner would have written them: six cases of the gather on two
// paths, twelve planned records. Tests change what they are about.
#pragma once

#include <string>
#include <vector>

#include "harness/results/gate/merge.hpp"
#include "harness/results/records/results_file.hpp"

namespace harness::fixture {

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

// The lines of a results file.
std::string text_of(const ResultsFile& results);

}  // namespace harness::fixture
