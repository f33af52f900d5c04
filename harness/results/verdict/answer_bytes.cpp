#include "harness/results/verdict/answer_bytes.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "harness/files/sha256.hpp"

namespace harness {
namespace {

// What a passing record says against what its problem gives; nothing where they agree.
std::optional<std::string> difference(const CaseRecord& record, const oracle::Profile& profile,
                                      const SuiteKnowledge& knowledge) {
  if (record.case_sha256 != sha256_hex(std::string_view(record.asked->spec))) {
    return "the spec that it carries is not the one of its digest";
  }
  const Result<Outputs> outputs = knowledge.golden_outputs(*record.asked, profile);
  if (!outputs) return outputs.error().message;
  Sha256 digest;
  std::uint64_t bytes = 0;
  for (const auto& output : *outputs) {
    digest.update(output);
    bytes += output.size();
  }
  const std::string right = digest.hex();
  if (record.output_sha256 != right) {
    return fmt::format("its output bytes are not the right ones: sha256 {}, expected {}",
                       record.output_sha256, right);
  }
  if (record.bytes_compared != bytes || record.calls != 1) {
    return fmt::format("it compared {} bytes of {} calls, and has {} bytes of one",
                       record.bytes_compared, record.calls, bytes);
  }
  return std::nullopt;
}

}  // namespace

AnswerBytes check_answer_bytes(const ResultsFile& results, const SuiteKnowledge& knowledge) {
  AnswerBytes check;
  std::map<std::string, oracle::Profile> profiles;  // by digest
  if (knowledge.read_profile) {
    for (const JudgedProfile& profile : results.header.profiles) {
      Result<oracle::Profile> read = knowledge.read_profile(profile.contents);
      if (read) profiles.emplace(profile.sha256, *std::move(read));
    }
  }
  for (const CaseRecord& record : results.cases) {
    if (record.verdict != Verdict::pass) continue;
    if (!record.asked || !knowledge.golden_outputs) {
      ++check.unknown;
      continue;
    }
    const auto profile = profiles.find(record.asked->profile_sha256);
    const std::optional<std::string> differs =
        profile == profiles.end() ? fmt::format("the header embeds no profile with sha256 {}",
                                                record.asked->profile_sha256)
                                  : difference(record, profile->second, knowledge);
    if (differs) {
      check.contradictions.push_back(
          fmt::format("'{}' is said to pass: {}", record.key(), *differs));
    }
  }
  return check;
}

}  // namespace harness
