// Case records with all that their files say: in memory they are abridged
// (records/abridged_record.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

// Where a record is written.
struct RecordSource {
  std::size_t shard = 0;     // of the files below
  std::uint64_t offset = 0;  // of its line's first byte
};

class ShardRecords {
 public:
  // `files` or the folders that hold them.
  explicit ShardRecords(const std::vector<std::string>& files);

  // The whole record as one line of JSON, without its line feed, with the waiver of `record`, as
  // which it was read before. Error: it is no longer there.
  Result<std::string> line_of(const RecordSource& source, const CaseRecord& record);

 private:
  std::vector<std::string> paths_;
  std::vector<std::ifstream> streams_;
};

}  // namespace harness
