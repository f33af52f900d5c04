// What is kept in memory of a case record, found in its text before that is parsed: the mismatches
// of one record are up to 64 objects of a dozen members, and in a file of 100,000 failures they
// would take gigabytes that nothing shows. The file keeps them all.
#pragma once

#include <cstddef>
#include <string>

namespace harness {

struct RecordDetail {
  std::size_t mismatches = 64;  // of diagnosis/first
  bool wrong_map = true;

  bool operator==(const RecordDetail&) const = default;
};

// Of the record behind so many mismatches of its file; other failures have no detail to cut.
// Whoever reads a file keeps the same of it.
RecordDetail detail_kept(std::size_t mismatches_before);

// Cuts elements of /diagnosis/first behind the first `detail.mismatches`, and /diagnosis/wrong_map,
// out of the text of a case record. Text without those, or of another form, is left as it is:
// whoever parses it says what is wrong with it.
void abridge_record(std::string& text, const RecordDetail& detail);

}  // namespace harness
