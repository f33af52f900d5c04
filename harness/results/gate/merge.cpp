#include "harness/results/gate/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/files/sha256.hpp"
#include "harness/results/gate/merge_parts.hpp"
#include "harness/results/verdict/conclusion.hpp"

namespace harness {
namespace {

tl::unexpected<Error> not_mergeable(std::string message) {
  return oracle::fail(ErrorCode::invalid_argument, "merge: " + std::move(message));
}

// What is missing, with a limit: a damaged header may promise any number of cases.
class Missing {
 public:
  void add(std::string what) {
    if (++count_ <= max_listed) list_.push_back(std::move(what));
  }
  void add(std::uint64_t count) { count_ += count; }
  std::vector<std::string> take() {
    if (count_ > list_.size()) {
      list_.push_back(fmt::format("{} more are missing", count_ - list_.size()));
    }
    return std::move(list_);
  }

 private:
  static constexpr std::uint64_t max_listed = 20;
  std::uint64_t count_ = 0;
  std::vector<std::string> list_;
};

// That the shards belong together and none is there twice.
Status check_shards(std::span<const NamedResults> shards, Missing& missing) {
  const std::uint64_t count = shards.front().results.header.selection.shard.count;
  const NamedResults* previous = nullptr;
  std::uint64_t next = 0;
  for (const NamedResults& shard : shards) {
    const std::string differs = difference(shards.front(), shard);
    if (!differs.empty()) return not_mergeable(differs);
    const std::uint64_t index = shard.results.header.selection.shard.index;
    if (index >= count) {
      return not_mergeable(fmt::format("{} is shard {} of {}", shard.name, index, count));
    }
    if (previous != nullptr && index + 1 == next) {
      return not_mergeable(
          fmt::format("{} and {} are both shard {}/{}", previous->name, shard.name, index, count));
    }
    if (index > next)
      missing.add(fmt::format("shards {} to {} of {} are missing", next, index - 1, count));
    if (!shard.results.end || shard.results.end->interrupted) {
      missing.add(fmt::format("{}: shard {}/{} did not come to its end: finish it with --resume",
                              shard.name, index, count));
    }
    const std::uint64_t planned = shard.results.header.plan_planned;
    if (shard.results.cases.size() != planned) {
      missing.add(fmt::format("{}: {} of {} planned cases have a record", shard.name,
                              shard.results.cases.size(), planned));
    }
    previous = &shard;
    next = index + 1;
  }
  if (next != count)
    missing.add(fmt::format("shards {} to {} of {} are missing", next, count - 1, count));
  return {};
}

struct Recorded {
  CaseRecord* record;
  const NamedResults* shard;
  RecordSource source;
};

// The records by their index in the plan, none twice.
Result<std::map<std::uint64_t, Recorded>> collect(std::span<NamedResults> shards) {
  const std::uint64_t total = shards.front().results.header.plan_total;
  std::map<std::uint64_t, Recorded> records;
  std::map<std::string, const NamedResults*> keys;
  for (std::size_t number = 0; number < shards.size(); ++number) {
    NamedResults& shard = shards[number];
    const std::vector<std::uint64_t>& offsets = shard.results.case_offsets;
    for (std::size_t i = 0; i < shard.results.cases.size(); ++i) {
      CaseRecord& record = shard.results.cases[i];
      const RecordSource source{number, i < offsets.size() ? offsets[i] : 0};
      if (record.index >= total) {
        return not_mergeable(fmt::format("{}: '{}' is case {} of a plan of {}", shard.name,
                                         record.key(), record.index, total));
      }
      const auto [at, is_new] =
          records.try_emplace(record.index, Recorded{&record, &shard, source});
      if (!is_new) {
        return not_mergeable(fmt::format(
            "planned case {} is recorded twice: '{}' in {}, '{}' in {}", record.index,
            at->second.record->key(), at->second.shard->name, record.key(), shard.name));
      }
      const auto [key, is_new_key] = keys.try_emplace(record.key(), &shard);
      if (!is_new_key) {
        return not_mergeable(fmt::format("'{}' is recorded twice: in {} and in {}", record.key(),
                                         key->second->name, shard.name));
      }
    }
  }
  return records;
}

// Names the planned cases without a record: the plan itself is in no file, so by their neighbours.
void find_gaps(const std::map<std::uint64_t, Recorded>& records, std::uint64_t total,
               Missing& missing) {
  constexpr std::uint64_t max_named = 20;  // of one gap
  std::uint64_t next = 0;
  std::string after;
  const auto gap = [&](std::uint64_t end) {
    for (std::uint64_t index = next; index < std::min(end, next + max_named); ++index) {
      missing.add(fmt::format("planned case {} of {} has no record{}", index, total, after));
    }
    if (end > next + max_named) missing.add(end - next - max_named);
  };
  for (const auto& [index, recorded] : records) {
    gap(index);
    next = index + 1;
    after = fmt::format(": it follows case {}, '{}'", index, recorded.record->key());
  }
  gap(total);
}

}  // namespace

Result<Merged> merge_results(std::vector<NamedResults> shards, const SuiteKnowledge& knowledge) {
  if (shards.empty()) return not_mergeable("no results were given");
  std::stable_sort(shards.begin(), shards.end(), [](const NamedResults& a, const NamedResults& b) {
    return a.results.header.selection.shard.index < b.results.header.selection.shard.index;
  });
  Missing missing;
  if (Status status = check_shards(shards, missing); !status) {
    return tl::make_unexpected(status.error());
  }
  const Result<std::map<std::uint64_t, Recorded>> records = collect(shards);
  if (!records) return tl::make_unexpected(records.error());
  const RunHeader& header = shards.front().results.header;
  find_gaps(*records, header.plan_total, missing);
  if (records->size() == header.plan_total) {
    Sha256 plan;
    for (const auto& [unused, recorded] : *records) {
      plan.update(recorded.record->key() + ' ' + recorded.record->case_sha256 + '\n');
    }
    const std::string digest = plan.hex();
    if (digest != header.plan_sha256) {
      return not_mergeable(fmt::format(
          "the recorded cases are not those of the plan: SHA-256 of their keys and specs is {}, "
          "the plan's {}",
          digest, header.plan_sha256));
    }
  }
  Merged merged;
  merged.missing = missing.take();
  merged.results.header = merge_headers(shards);
  merged.results.not_run = merge_not_run(shards);
  for (const NamedResults& shard : shards) {
    const std::vector<BoardRecord>& boards = shard.results.boards;
    merged.results.boards.insert(merged.results.boards.end(), boards.begin(), boards.end());
  }
  merged.results.coverage = merge_coverage(shards);
  if (merged.missing.empty()) {
    ConcludeOptions how;
    how.bytes = false;  // those of all shards are computed once, of the whole
    for (const NamedResults& shard : shards) {
      if (Status status = adds_up(shard.results, shard.name, knowledge, how); !status) {
        return tl::make_unexpected(status.error());
      }
    }
  }
  for (const NamedResults& shard : shards) merged.files.push_back(shard.name);
  for (const auto& [unused, recorded] : *records) {
    merged.results.cases.push_back(std::move(*recorded.record));
    merged.sources.push_back(recorded.source);
  }
  if (merged.missing.empty()) {
    merged.results.end = merge_ends(shards, draw_end(merged.results, knowledge, false));
  }
  return merged;
}

}  // namespace harness
