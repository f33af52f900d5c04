#include "vectors/src/vector_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"
#include "vectors/src/curated.hpp"
#include "vectors/src/golden.hpp"
#include "vectors/src/vector_freeze.hpp"
#include "vectors/src/vector_verify.hpp"
#include "vectors/tests/vector_paths.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void no_progress(const std::string& /*path*/) {}

Manifest generated(const std::filesystem::path& folder, const std::string& set,
                   std::uint64_t seed) {
  const auto manifest = generate_sets({{set, seed, 0}}, folder, no_progress);
  EXPECT_TRUE(manifest) << manifest.error().message;
  return manifest.value_or(Manifest{});
}

TEST(VectorSetTest, TwoRunsGiveTheSameBytes) {
  const TemporaryFolder folder;
  for (const char* set : {"elements", "smoke"}) {
    const std::uint64_t seed = set == std::string("smoke") ? 1 : 0;
    const Manifest first = generated(folder / (std::string(set) + "1"), set, seed);
    const Manifest second = generated(folder / (std::string(set) + "2"), set, seed);
    EXPECT_THAT(first.files, Not(IsEmpty()));
    EXPECT_EQ(first, second);
  }
}

TEST(VectorSetTest, ElementsAreTheCommittedBytes) {
  const TemporaryFolder folder;
  const Manifest made = generated(folder / "v", "elements", 0);
  const auto kept = read_manifest(data_folder());
  ASSERT_TRUE(kept) << kept.error().message;
  for (const ManifestFile& file : made.files) {
    EXPECT_THAT(kept->files, ::testing::Contains(file)) << file.path;
  }
}

TEST(VectorSetTest, AGeneratedSetVerifies) {
  const TemporaryFolder folder;
  const Manifest manifest = generated(folder / "v", "smoke", 7);
  EXPECT_EQ(manifest.sets.front().seed, 7U);
  const auto report = verify_vectors(folder / "v");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->damage, IsEmpty());
  EXPECT_THAT(report->disagreements, IsEmpty());
  EXPECT_EQ(report->files, manifest.files.size());
  EXPECT_GT(report->vectors, 10000U);
}

TEST(VectorSetTest, PathsAreThoseThatAreMade) {
  for (const char* name : {"elements", "smoke", "standard"}) {
    const VectorSet& set = **vector_set_named(name);
    std::vector<std::string> made;
    ASSERT_TRUE(make_set(set, 1, [&](const std::string& path, const ProblemFile& file) {
      made.push_back(path);
      EXPECT_TRUE(file.expected);
      return Result<void>();
    }));
    std::vector<std::string> first_calls;
    std::copy_if(made.begin(), made.end(), std::back_inserter(first_calls),
                 [](const std::string& path) { return first_call_path(path) == path; });
    EXPECT_EQ(set_paths(set, 1), first_calls);
    for (const std::string& path : made) {
      EXPECT_THAT(first_calls, ::testing::Contains(first_call_path(path)));
    }
  }
}

TEST(VectorSetTest, CallsOfOneCaseHaveOneFirstPath) {
  EXPECT_EQ(first_call_path("full/op/case.call12.safetensors"), "full/op/case.safetensors");
  for (const char* path : {"full/op/case.safetensors", "full/op/case.call.safetensors",
                           "full/op/case.call1x.safetensors", "curated/x.call1.json"}) {
    EXPECT_EQ(first_call_path(path), path);
  }
}

TEST(VectorSetTest, WhatIsKeptAsDataIsNotGenerated) {
  const TemporaryFolder folder;
  for (const char* name : {"curated", "real"}) {
    const auto manifest = generate_sets({{name, 0, 0}}, folder / "v", no_progress);
    ASSERT_FALSE(manifest);
    EXPECT_THAT(manifest.error().message, HasSubstr("kept as data"));
  }
  const auto unknown = generate_sets({{"elephants", 0, 0}}, folder / "v", no_progress);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("expected one of elements, curated"));
}

TEST(VectorSetTest, NothingIsOverwritten) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder / "mine", "x"));
  const auto manifest = generate_sets({{"elements", 0, 0}}, folder.path(), no_progress);
  ASSERT_FALSE(manifest);
  EXPECT_THAT(manifest.error().message, HasSubstr("expected an empty folder"));
}

TEST(VerifyTest, AnIntactFileThatTheOracleDeniesIsADisagreement) {
  const TemporaryFolder folder;
  generated(folder / "v", "elements", 0);
  const auto path = folder / "v" / "elements" / "e2m1_to_f32.safetensors";
  ProblemFile file = *read_problem_file(path);
  file.expected->front()[7] ^= 1;
  ASSERT_TRUE(write_problem_file(path, file));
  std::filesystem::remove(folder / "v" / manifest_name);
  ASSERT_TRUE(freeze_vectors(folder / "v"));
  const auto report = verify_vectors(folder / "v");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->damage, IsEmpty());
  EXPECT_THAT(report->disagreements,
              ElementsAre("elements/e2m1_to_f32.safetensors: expected.value byte 7: the file "
                          "states 0x3e, the oracle answers 0x3f"));
}

// What `verify` says of a folder whose manifest was made to fit it.
std::string after(const std::filesystem::path& folder) {
  auto files = list_files(folder);
  Manifest manifest = *read_manifest(folder);
  manifest.files = std::move(*files);
  for (ManifestSet& set : manifest.sets) set.files = count_files(manifest.files, set.name);
  EXPECT_TRUE(write_text_file(folder / manifest_name, manifest_text(manifest)));
  const auto report = verify_vectors(folder);
  if (!report) return report.error().message;
  return report->damage.empty() ? "nothing" : report->damage.front();
}

TEST(VerifyTest, AManifestOfNothingIsNotGood) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder.path() / manifest_name, manifest_text(Manifest{})));
  const auto report = verify_vectors(folder.path());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->good());
  EXPECT_THAT(report->damage, ElementsAre("MANIFEST.json: expected sets, it lists none"));
}

TEST(VerifyTest, AFileOfASetThatWasLeftOutIsMissed) {
  const TemporaryFolder folder;
  const Manifest made = generated(folder / "v", "smoke", 7);
  std::filesystem::remove(folder / "v" / made.files.front().path);
  EXPECT_EQ(after(folder / "v"), made.files.front().path + ": a file of set smoke, and not listed");
}

TEST(VerifyTest, ALaterCallOfACaseThatWasLeftOutIsMissed) {
  const TemporaryFolder folder;
  const Manifest made = generated(folder / "v", "standard", 7);
  const auto later = std::find_if(
      made.files.begin(), made.files.end(),
      [](const ManifestFile& file) { return first_call_path(file.path) != file.path; });
  ASSERT_NE(later, made.files.end());
  std::filesystem::remove(folder / "v" / later->path);
  EXPECT_EQ(after(folder / "v"), later->path + ": a file of set standard, and not listed");
}

TEST(VerifyTest, FilesUnderEachOthersNamesAreSeen) {
  const TemporaryFolder folder;
  const Manifest made = generated(folder / "v", "smoke", 7);
  const auto first = folder / "v" / made.files[0].path;
  const auto second = folder / "v" / made.files[1].path;
  std::filesystem::rename(first, folder / "away");
  std::filesystem::rename(second, first);
  std::filesystem::rename(folder / "away", second);
  EXPECT_THAT(
      after(folder / "v"),
      ::testing::AnyOf(HasSubstr(made.files[0].path + ": expected the golden file of case "),
                       HasSubstr(made.files[1].path + ": expected the golden file of case ")));
}

TEST(VerifyTest, CuratedVectorsThatWereIssuedCannotBeLeftOut) {
  const TemporaryFolder folder;
  std::filesystem::copy(data_folder(), folder / "v", std::filesystem::copy_options::recursive);
  const auto path = folder / "v" / "curated" / "convert.json";
  auto file = *curated_file_from(*read_text_file(path, 1U << 20), "convert.json");
  // One whose flags others have too, so that the file is right without it.
  const auto spare = std::find_if(file.vectors.begin(), file.vectors.end(), [&](const auto& each) {
    return std::all_of(each.flags.begin(), each.flags.end(), [&](const std::string& flag) {
      return std::count_if(file.vectors.begin(), file.vectors.end(), [&](const auto& other) {
               return std::count(other.flags.begin(), other.flags.end(), flag) != 0;
             }) > 1;
    });
  });
  ASSERT_NE(spare, file.vectors.end());
  const std::string id = spare->id;
  file.vectors.erase(spare);
  ASSERT_TRUE(write_text_file(path, curated_text(file)));
  const auto registry = folder / "v" / "curated" / "ids.txt";
  std::string ids = *read_text_file(registry, 1U << 20);
  const auto at = ids.find(id + ' ');
  ASSERT_NE(at, std::string::npos);
  ids.erase(at, ids.find('\n', at) + 1 - at);
  ASSERT_TRUE(write_text_file(registry, ids));
  EXPECT_THAT(after(folder / "v"), HasSubstr("id " + id + " was issued once and must stay"));
}

TEST(VerifyTest, RealPagesAreTheIssuedOnes) {
  const TemporaryFolder folder;
  std::filesystem::copy(data_folder(), folder / "v", std::filesystem::copy_options::recursive);
  std::filesystem::copy_file(folder / "v" / "real" / "rows.safetensors",
                             folder / "v" / "real" / "pages_nvfp4.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(after(folder / "v"), HasSubstr("real/pages_nvfp4.safetensors: issued with sha256"));
}

TEST(FreezeTest, WhatIsFrozenStays) {
  const TemporaryFolder folder;
  generated(folder / "v", "elements", 0);
  const auto path = folder / "v" / "elements" / "e2m1_to_f32.safetensors";
  ProblemFile file = *read_problem_file(path);
  file.facts["comment"] = "another";
  ASSERT_TRUE(write_problem_file(path, file));
  const auto frozen = freeze_vectors(folder / "v");
  ASSERT_FALSE(frozen);
  EXPECT_THAT(frozen.error().message, HasSubstr("changed data gets a new source version"));
  std::filesystem::remove(path);
  EXPECT_THAT(freeze_vectors(folder / "v").error().message, HasSubstr("frozen, and gone"));
}

TEST(FreezeTest, NewCuratedVectorsAreEntered) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "v" / "curated");
  for (const auto& entry : std::filesystem::directory_iterator(curated_folder())) {
    std::filesystem::copy(entry, folder / "v" / "curated");
  }
  ASSERT_TRUE(freeze_vectors(folder / "v"));
  const auto path = folder / "v" / "curated" / "page_size.json";
  auto file = curated_file_from(*read_text_file(path, 1U << 20), "page_size.json");
  ASSERT_TRUE(file) << file.error().message;
  file->vectors.push_back({"Z01.1",
                           "new",
                           file->vectors[0].flags,
                           {},
                           {{"format", "mxfp4"}},
                           {{"bytes", "0x00002200"}}});
  ASSERT_TRUE(write_text_file(path, curated_text(*file)));
  const auto frozen = freeze_vectors(folder / "v");
  ASSERT_TRUE(frozen) << frozen.error().message;
  EXPECT_THAT(frozen->added, ElementsAre("curated/ids.txt", "curated/page_size.json"));
  const auto report = verify_vectors(folder / "v");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());

  file->vectors.back().expected["bytes"] = "0x00002201";
  ASSERT_TRUE(write_text_file(path, curated_text(*file)));
  EXPECT_THAT(freeze_vectors(folder / "v").error().message, HasSubstr("issued vector changed"));
}

}  // namespace
}  // namespace harness
