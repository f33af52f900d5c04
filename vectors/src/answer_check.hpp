// Judges files that a program outside wrote: an answer file beside a golden one, or a folder of
// answers beside a folder of golden files. Each golden file gives one case record, as `run` gives.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/model/result.hpp"
#include "harness/results/records/results.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct AnswerCheck {
  std::vector<CaseRecord>
      records;  // path "files", or "files/SET" of several sets; device "outside"
  std::vector<const oracle::Profile*> profiles;  // that answers were judged by, each once
  // Files that cannot be judged by: broken, hostile, or of no golden file. One line each.
  std::vector<std::string> unusable;
};

// `declared` is the profile to judge by; null: the one that each golden file was made with. A
// golden file must agree with the oracle, else it is an error: nobody is judged by a wrong answer.
// An answer that is missing leaves its record `not_run`; a missing, extra, renamed or resized
// tensor is a mismatch. In folders an answer has the path of its golden file. Error: a golden file
// is unreadable, not golden or denied by the oracle; one path is a folder and the other is not; no
// golden file is there, or fewer than the folder's manifest lists; a file holds another problem
// than the case that it names; two golden files are of one call of one case.
Result<AnswerCheck> check_answers(const std::filesystem::path& golden,
                                  const std::filesystem::path& answer,
                                  const oracle::Profile* declared);

}  // namespace harness
