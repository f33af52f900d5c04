#include "harness/results/statement/statement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/files/sha256.hpp"
#include "harness/model/software_instruction.hpp"
#include "harness/results/statement/claim.hpp"
#include "harness/results/statement/ustar.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

using harness::ArchiveEntry;
using harness::make_statement;
using harness::read_ustar;
using harness::ResultsFile;
using harness::verify_statement;
using harness::write_ustar;
using harness::fixture::passing_run;
using harness::fixture::text_of;
using testing::HasSubstr;

const std::string manifest = "{\"files\": []}\n";

harness::SuiteKnowledge known() {
  harness::SuiteKnowledge known = harness::fixture::knowledge();
  known.vectors_sha256 = harness::sha256_hex(manifest);
  return known;
}

ResultsFile run() {
  ResultsFile results = passing_run();
  results.header.vectors_sha256 = harness::sha256_hex(manifest);
  return results;
}

std::string refusal(const ResultsFile& results) {
  const auto made = make_statement(std::vector<harness::ResultsText>{{"r.jsonl", text_of(results)}},
                                   manifest, known());
  return made ? "made" : made.error().message;
}

std::string archive() {
  return make_statement(std::vector<harness::ResultsText>{{"r.jsonl", text_of(run())}}, manifest,
                        known())
      .value();
}

// A forger who keeps the archive well formed: changes an entry and puts all digests right again.
std::string forged(const std::string& name, const std::function<void(std::string&)>& change) {
  std::vector<ArchiveEntry> entries = read_ustar(archive()).value();
  for (ArchiveEntry& entry : entries) {
    if (entry.name == name) change(entry.bytes);
  }
  auto statement = nlohmann::ordered_json::parse(entries[0].bytes);
  std::string sums;
  for (ArchiveEntry& entry : entries) {
    for (auto& file : statement["files"]) {
      if (file["name"] != entry.name) continue;
      file["bytes"] = entry.bytes.size();
      file["sha256"] = harness::sha256_hex(entry.bytes);
    }
  }
  if (name != "statement.json") entries[0].bytes = statement.dump(2) + '\n';
  for (const ArchiveEntry& entry : entries) {
    if (entry.name != "SHA256SUMS") {
      sums += harness::sha256_hex(entry.bytes) + "  " + entry.name + '\n';
    }
  }
  entries.back().bytes = sums;
  return write_ustar(entries).value();
}

std::string fault_of(const std::string& bytes) {
  const auto verified = verify_statement(bytes, known());
  return verified ? "verified" : verified.error().message;
}

void replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

TEST(StatementTest, IsVerifiedAndRepeats) {
  EXPECT_EQ(fault_of(archive()), "verified");
  EXPECT_EQ(archive(), archive());
  const auto statement = verify_statement(archive(), known()).value();
  const auto& facts = statement.at("runs")[0].at("facts");
  EXPECT_EQ(facts.at("verdict"), "CONFORMS");
  EXPECT_EQ(facts.at("suite").at("commit"), std::string(40, 'c'));
  EXPECT_EQ(facts.at("devices")[0].at("facts").at("driver"), "580.159.04");
  EXPECT_EQ(facts.at("implementations")[1].at("toolkit"), "g++ 12.2.0");
  EXPECT_EQ(facts.at("plan").at("cases"), 12);
}

TEST(StatementTest, HoldsTheReportsAndTheManifest) {
  std::vector<std::string> names;
  const std::vector<ArchiveEntry> entries = read_ustar(archive()).value();
  for (const ArchiveEntry& entry : entries) names.push_back(entry.name);
  EXPECT_THAT(names,
              testing::ElementsAre("statement.json", "README.txt", "run-1/results.jsonl",
                                   "run-1/report.html", "run-1/junit.xml", "run-1/summary.json",
                                   "run-1/summary.txt", "vectors/MANIFEST.json", "SHA256SUMS"));
}

// As a run would have ended that has these records.
std::string refused(const std::function<void(ResultsFile&)>& change) {
  ResultsFile results = run();
  change(results);
  harness::fixture::conclude_anew(results);
  return refusal(results);
}

TEST(StatementTest, OnlyAWholeConformingRunCanBeStated) {
  EXPECT_EQ(refused([](ResultsFile&) {}), "made");
  EXPECT_THAT(refused([](auto& results) { harness::fixture::make_mismatch(results.cases[3]); }),
              HasSubstr("its verdict is MISMATCH, and must be CONFORMS"));
  EXPECT_THAT(refused([](auto& results) {
                harness::fixture::make_mismatch(results.cases[3]);
                results.cases[3].waiver = "https://tracker.example/1";
              }),
              HasSubstr("its verdict is MISMATCH, and must be CONFORMS"));
  EXPECT_THAT(refused([](auto& results) { harness::fixture::make_not_run(results.cases[3]); }),
              HasSubstr("its verdict is INCOMPLETE"));
  EXPECT_THAT(
      refused([](auto& results) { results.header.suite_commit = std::string(40, 'c') + "-dirty"; }),
      HasSubstr("must be of a clean commit"));
  EXPECT_THAT(refused([](auto& results) { results.header.vectors_sha256.clear(); }),
              HasSubstr("the vector manifest's sha256 at this commit: expected"));
  ResultsFile results = run();
  results.end.reset();
  results.coverage.clear();
  EXPECT_THAT(refusal(results), HasSubstr("the run was killed before its end"));
}

TEST(StatementTest, WhatSoftwareExecutedInAProcessorsPlaceIsNeverStated) {
  for (const auto execution : {harness::Machinery::simulated, harness::Machinery::emulated}) {
    ResultsFile results = run();
    results.header.implementations[1].execution = execution;
    harness::fixture::conclude_anew(results);
    EXPECT_THAT(refusal(results), HasSubstr("says nothing about a processor"));
  }
}

TEST(StatementTest, ItsSentenceNamesWhatWasJudgedAndWhatWasNot) {
  const auto facts = verify_statement(archive(), known()).value().at("runs")[0].at("facts");
  EXPECT_EQ(facts.at("claim"),
            "fp4cts 0.1.0 (" + std::string(40, 'c') +
                "), level full, profile ocp: CONFORMS on cpu. Judged: nvfp4_gather_index_k (fp32, "
                "table) on cpu. Not judged: nvfp4_gather_index_k qmul4 on cpu (\"needs "
                "compute capability 10.0 or 10.3\").");
  EXPECT_EQ(facts.at("profiles")[0].at("contents").at("nan"), 0x7f);
  EXPECT_EQ(facts.at("profiles")[0].at("beside_the_default").size(), 0u);
}

TEST(StatementTest, AnInstructionInSoftwareIsNotJudged) {
  ResultsFile results = run();
  results.header.implementations[1].toolkit += harness::in_software;
  harness::fixture::conclude_anew(results);
  const auto made = make_statement(std::vector<harness::ResultsText>{{"r.jsonl", text_of(results)}},
                                   manifest, known());
  ASSERT_TRUE(made) << made.error().message;
  const auto facts = verify_statement(*made, known()).value().at("runs")[0].at("facts");
  EXPECT_EQ(facts.at("judged"), nlohmann::json({"nvfp4_gather_index_k (fp32) on cpu"}));
  EXPECT_EQ(facts.at("not_judged")[0],
            "nvfp4_gather_index_k table on cpu (its instruction was software)");
}

TEST(StatementTest, WhatASmallMachineCannotComputeIsNotedAndTheStatementIsTheSame) {
  harness::SuiteKnowledge small = known();
  small.memory_bytes = 16384;
  std::vector<std::string> notes;
  EXPECT_TRUE(verify_statement(archive(), small, &notes));
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr("6 cases were not computed again")));
}

TEST(StatementTest, AProfileOfItsOwnIsCarriedAndItsDifferencesAreSaid) {
  EXPECT_THAT(harness::profile_differences({{"name", "mine"}, {"nan", {{"e4m3", "ff"}}}, {"a", 1}},
                                           {{"name", "ocp"}, {"nan", {{"e4m3", "7f"}}}, {"a", 1}}),
              testing::ElementsAre("nan.e4m3 is ff; by default it is 7f"));
}

TEST(StatementTest, SeveralRunsAreStatedTogether) {
  const std::vector<harness::ResultsText> same{{"a", text_of(run())}, {"b", text_of(run())}};
  EXPECT_EQ(fault_of(make_statement(same, manifest, known()).value()), "verified");
}

TEST(StatementTest, ABuildOfAnotherCommitStatesNothing) {
  EXPECT_THAT(refused([](auto& results) { results.header.suite_version = "0.2.0"; }),
              HasSubstr("the suite's version at this commit: expected 0.1.0, got '0.2.0'"));
  EXPECT_THAT(refused([](auto& results) { results.header.suite_commit = std::string(40, 'd'); }),
              HasSubstr("it was made by a build of the commit dddd"));
  harness::SuiteKnowledge other = known();
  other.commit = std::string(40, 'd');
  EXPECT_THAT(verify_statement(archive(), other).error().message,
              HasSubstr("and this is one of dddd"));
}

TEST(StatementTest, ARuntimeThatAVariableNamedIsNeverStated) {
  EXPECT_THAT(refused([](auto& results) {
                results.header.devices[0].facts["library_named_by"] =
                    "FP4CTS_CUDA_LIBRARY=./libcuda.so";
              }),
              HasSubstr("was named by \"FP4CTS_CUDA_LIBRARY=./libcuda.so\", and nobody knows"));
}

TEST(StatementTest, AProfileFileIsNamedByItsDigest) {
  harness::SuiteKnowledge none_shipped = known();
  none_shipped.shipped_profile = [](const std::string&) { return std::nullopt; };
  ResultsFile results = run();
  for (auto& profile : results.header.profiles) profile.name = "ocp: CONFORMS on everything/p.json";
  results.header.selection.profile = "ocp: CONFORMS on everything/p.json";
  harness::fixture::conclude_anew(results);
  const std::string digest = results.header.profiles[0].sha256.substr(0, 12);
  const auto statement = make_statement(std::vector<harness::ResultsText>{{"a", text_of(results)}},
                                        manifest, none_shipped);
  ASSERT_TRUE(statement) << statement.error().message;
  const auto facts = verify_statement(*statement, none_shipped).value().at("runs")[0].at("facts");
  EXPECT_THAT(facts.at("claim").get<std::string>(),
              HasSubstr("level full, profile of a file (sha256 " + digest +
                        "): CONFORMS on cpu (by a profile file, sha256 " + digest + ")."));
}

TEST(StatementTest, EveryChangedByteIsSeen) {
  const std::string good = archive();
  // A prime step, so that the bytes hit lie everywhere in the 512-byte blocks.
  for (std::size_t i = 0; i < good.size(); i += 2003) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x04);
    EXPECT_NE(fault_of(bad), "verified") << "byte " << i;
  }
  EXPECT_NE(fault_of(good.substr(0, good.size() - 1)), "verified");
  EXPECT_NE(fault_of(""), "verified");
}

TEST(StatementTest, AForgerWhoPutsTheDigestsRightIsStillSeen) {
  EXPECT_EQ(fault_of(forged("README.txt", [](std::string&) {})), "verified");
  const auto forged_results = [](const std::string& what, const std::string& with) {
    return fault_of(
        forged("run-1/results.jsonl", [&](std::string& text) { replace(text, what, with); }));
  };
  EXPECT_THAT(forged_results("\"verdict\":\"pass\"", "\"verdict\":\"not_run\""),
              HasSubstr("the end record says CONFORMS, and what follows is INCOMPLETE"));
  EXPECT_THAT(forged_results("580.159.04", "590.0"),
              HasSubstr("run-1/report.html is not what the records give"));
  EXPECT_THAT(fault_of(forged("run-1/results.jsonl",
                              [](std::string& text) {
                                const std::size_t at = text.find("{\"record\":\"case\"");
                                text.erase(at, text.find('\n', at) + 1 - at);
                              })),
              HasSubstr("the end record says CONFORMS, and what follows is INCOMPLETE"));
  EXPECT_THAT(
      fault_of(forged("statement.json",
                      [](std::string& text) { replace(text, "\"full\"", "\"exhaustive\""); })),
      HasSubstr("/runs/0/facts/level is \"exhaustive\", and by the records it is \"full\""));
  EXPECT_THAT(fault_of(forged("vectors/MANIFEST.json", [](std::string& text) { text += '\n'; })),
              HasSubstr("the vector manifest of the run has SHA-256"));
}

TEST(StatementTest, NothingInTheArchiveIsThereBesideWhatTheRecordsGive) {
  for (const char* file : {"run-1/report.html", "run-1/junit.xml", "run-1/summary.json",
                           "run-1/summary.txt", "README.txt"}) {
    EXPECT_THAT(fault_of(forged(file, [](std::string& text) { text[text.size() / 2] ^= 1; })),
                HasSubstr(std::string(file) + " is not what the records give"));
  }
  EXPECT_THAT(fault_of(forged("statement.json",
                              [](std::string& text) {
                                replace(text, "\"facts\": {", "\"facts\": {\"certified\": true,");
                              })),
              HasSubstr("/runs/0/facts/certified does not follow from the records"));
  std::vector<ArchiveEntry> entries = read_ustar(archive()).value();
  entries.insert(entries.end() - 1, {"run-1/certificate.pdf", "%PDF"});
  auto statement = nlohmann::ordered_json::parse(entries[0].bytes);
  statement["files"].push_back({{"name", "run-1/certificate.pdf"},
                                {"bytes", 4},
                                {"sha256", harness::sha256_hex(std::string_view("%PDF"))}});
  entries[0].bytes = statement.dump(2) + '\n';
  std::string sums;
  for (const ArchiveEntry& entry : entries) {
    if (entry.name == "SHA256SUMS") continue;
    sums += harness::sha256_hex(entry.bytes) + "  " + entry.name + '\n';
  }
  entries.back().bytes = sums;
  EXPECT_THAT(fault_of(write_ustar(entries).value()),
              HasSubstr("run-1/certificate.pdf is no part of a statement of these records"));
}

TEST(StatementTest, TarAndSha256sumReadIt) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("fp4cts_statement_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "statement.tar", std::ios::binary) << archive();
  const std::string command = "cd '" + folder.string() +
                              "' && tar -xf statement.tar && sha256sum --check --strict --quiet "
                              "SHA256SUMS && test -s run-1/report.html";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
  std::filesystem::remove_all(folder);
}

}  // namespace
