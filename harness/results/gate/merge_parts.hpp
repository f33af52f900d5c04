// The parts of a merge that look at whole shards: what must agree, and what is joined.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/results/gate/merge.hpp"

namespace harness {

// The first difference between two shards that keeps them from being parts of one run, in words;
// empty where there is none.
std::string difference(const NamedResults& first, const NamedResults& other);

// All of these take the shards in order of index.
RunHeader merge_headers(std::span<const NamedResults> shards);
std::vector<NotRunRecord> merge_not_run(std::span<const NamedResults> shards);
std::vector<CoverageRecord> merge_coverage(std::span<const NamedResults> shards);
// The times of the whole, and the fault of the waivers where a shard had one. All have an end.
// `drawn`: what follows from the merged records. Stale waivers of a shard stay.
EndRecord merge_ends(std::span<const NamedResults> shards, EndRecord drawn);

}  // namespace harness
