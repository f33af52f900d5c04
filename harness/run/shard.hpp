// Which part of a plan this process runs.
#pragma once

#include <string_view>

#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

// "2/8": shard 2 of the shards 0 to 7. Error: names the range.
Result<Shard> parse_shard(std::string_view text);

// The shard that a scheduler asks for by environment variables: a Slurm array
// (SLURM_ARRAY_TASK_ID, _MIN, _COUNT; of consecutive ids), or a Kubernetes indexed Job
// (JOB_COMPLETION_INDEX, with the number of completions in FP4CTS_SHARD_COUNT, because Kubernetes
// does not tell it). One shard of one where neither is set. Error: a variable that is missing or is
// no number in range. `variable` returns null for one that is not set.
Result<Shard> shard_of_environment(const char* (*variable)(const char* name));

}  // namespace harness
