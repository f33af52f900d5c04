// Joins the results of shards into those of one run, and proves that every planned case was
// recorded exactly once: the plan's indices are all there, none twice, and the SHA-256 over the
// keys and specs of what was recorded is that of the plan which every shard made for itself.
#pragma once

#include <string>
#include <vector>

#include "harness/results/gate/shard_records.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

struct NamedResults {
  std::string name;  // the file, for messages
  ResultsFile results;
};

struct Merged {
  // Where each of the case records is written, in the files below; empty for a run that was not
  // merged.
  std::vector<RecordSource> sources;
  std::vector<std::string> files;
  // What a single run would have written, but for times (the first start, the last finish, the
  // longest shard's seconds) and the environment, whose "shards" lists those of each shard. The end
  // record is there where nothing is missing.
  ResultsFile results;
  // What keeps it from being a whole run, one line each: a shard that is missing or was killed, a
  // planned case without a record. Empty: complete.
  std::vector<std::string> missing;
};

// Error: results that are not shards of one run (suite, selection, plan, profile, vectors, device
// model, implementation), a shard given twice, a case recorded twice, a record that the plan does
// not have, a shard that does not add up (conclusion.hpp). The message names the files and the
// difference.
Result<Merged> merge_results(std::vector<NamedResults> shards, const SuiteKnowledge& knowledge);

}  // namespace harness
