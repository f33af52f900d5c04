// Frozen means frozen: the committed vectors are byte for byte what their manifest says, the oracle
// agrees with them, and damage to any byte is refused or reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"
#include "vectors/src/manifest.hpp"
#include "vectors/src/vector_verify.hpp"
#include "vectors/tests/vector_paths.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(FrozenVectorsTest, TheCommittedFilesAreWhatManifestAndOracleSay) {
  const auto report = verify_vectors(data_folder());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->damage, IsEmpty());
  EXPECT_THAT(report->disagreements, IsEmpty());
  EXPECT_GE(report->files, 23U);
  EXPECT_GE(report->vectors, 39000U);
}

// A copy of the committed vectors, to be damaged.
class DamageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::copy(data_folder(), copy(), fs::copy_options::recursive);
    const auto report = verify_vectors(copy());
    ASSERT_TRUE(report && report->good());
  }
  fs::path copy() const { return folder_ / "data"; }

  void flip(const std::string& path, std::size_t at, unsigned bits) {
    auto bytes = read_file(copy() / path, std::uint64_t{1} << 30);
    ASSERT_TRUE(bytes);
    bytes->at(at) = static_cast<std::uint8_t>(bytes->at(at) ^ bits);
    ASSERT_TRUE(write_file(copy() / path, *bytes));
  }

 private:
  TemporaryFolder folder_;
};

// Every file at its first and last byte and at places between, so that length, header and every
// tensor are hit.
TEST_F(DamageTest, AChangedByteOfAnyFileIsNoticed) {
  const auto manifest = read_manifest(copy());
  ASSERT_TRUE(manifest);
  for (const ManifestFile& file : manifest->files) {
    for (const std::uint64_t part : {0U, 1U, 2U, 3U}) {
      const auto at = static_cast<std::size_t>(part == 3 ? file.bytes - 1 : file.bytes * part / 3);
      flip(file.path, at, 0x01);
      EXPECT_THAT(manifest_faults(*list_files(copy()), *manifest),
                  ::testing::ElementsAre(HasSubstr(file.path + ": expected SHA-256")))
          << at;
      flip(file.path, at, 0x01);
    }
  }
}

// The manifest at every byte: no file vouches for it but itself, so its form and what it says must.
TEST_F(DamageTest, AChangedByteOfTheManifestIsNoticed) {
  const auto text = read_text_file(copy() / manifest_name, 1U << 20);
  ASSERT_TRUE(text);
  const auto original = manifest_from(*text, "m");
  ASSERT_TRUE(original);
  const auto present = list_files(copy());
  ASSERT_TRUE(present);
  for (std::size_t at = 0; at < text->size(); ++at) {
    for (const unsigned bits : {0x01U, 0x20U, 0x80U}) {
      std::string damaged = *text;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ bits);
      const auto manifest = manifest_from(damaged, "m");
      if (!manifest || !manifest_faults(*present, *manifest).empty()) continue;
      // It reads as a manifest and the files fit: then what it says of a set must not.
      ASSERT_TRUE(write_text_file(copy() / manifest_name, damaged));
      const auto report = verify_vectors(copy());
      EXPECT_FALSE(report && report->good()) << "byte " << at << " xor " << bits;
    }
  }
}

TEST_F(DamageTest, MissingExtraAndCutFilesAreNoticed) {
  const auto say = [&] {
    const auto report = verify_vectors(copy());
    if (!report) return report.error().message;
    return report->damage.empty() ? std::string("nothing") : report->damage.front();
  };
  const fs::path file = copy() / "elements" / "e2m1_to_f32.safetensors";
  const fs::path away = copy().parent_path() / "away";
  fs::rename(file, away);
  EXPECT_EQ(say(), "elements/e2m1_to_f32.safetensors: listed in MANIFEST.json, and missing");
  fs::rename(away, file);
  ASSERT_TRUE(write_text_file(copy() / "elements" / "extra", "x"));
  EXPECT_EQ(say(), "elements/extra: present, and not listed in MANIFEST.json");
  fs::remove(copy() / "elements" / "extra");
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_THAT(say(), HasSubstr("elements/e2m1_to_f32.safetensors: expected 936 bytes, got 935"));
  fs::remove(copy() / manifest_name);
  EXPECT_THAT(say(), HasSubstr("MANIFEST.json: opening for reading"));
}

TEST_F(DamageTest, AManifestThatLostAnEntryIsNoticed) {
  Manifest manifest = *read_manifest(copy());
  const std::string lost = manifest.files.back().path;
  manifest.files.pop_back();
  ASSERT_TRUE(write_text_file(copy() / manifest_name, manifest_text(manifest)));
  EXPECT_THAT(verify_vectors(copy()).error().message, HasSubstr("expected the stated"));
  // With the count made to fit and the file gone as well, the set's plan misses it.
  for (ManifestSet& set : manifest.sets) set.files = count_files(manifest.files, set.name);
  fs::remove(copy() / lost);
  ASSERT_TRUE(write_text_file(copy() / manifest_name, manifest_text(manifest)));
  const auto report = verify_vectors(copy());
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->damage, ::testing::Not(IsEmpty()));
  EXPECT_THAT(report->damage.front(), HasSubstr("and not listed"));
}

}  // namespace
}  // namespace harness
