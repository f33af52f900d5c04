#include "harness/files/sha256.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;

// The examples of FIPS 180-4 (NIST's SHA256.pdf).
constexpr std::string_view abc_digest =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view two_block_digest =
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
constexpr std::string_view empty_digest =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Sha256Test, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(sha256_hex(std::string_view("abc")), abc_digest);
  EXPECT_EQ(
      sha256_hex(std::string_view("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
      two_block_digest);
  EXPECT_EQ(sha256_hex(std::string_view()), empty_digest);
}

TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  Sha256 digest;
  digest.update(std::string_view("a"));
  digest.update(std::string_view());
  digest.update(std::string_view("bc"));
  EXPECT_EQ(digest.hex(), abc_digest);
}

TEST(Sha256Test, AFileLongerThanOnePieceIsReadWhole) {
  const TemporaryFolder folder;
  std::vector<std::uint8_t> bytes(3 * (std::size_t{1} << 20) + 5);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  ASSERT_TRUE(write_file(folder / "f", bytes));
  EXPECT_EQ(sha256_of_file(folder / "f"), sha256_hex(bytes));
  bytes.back() ^= 1;
  EXPECT_NE(sha256_of_file(folder / "f"), sha256_hex(bytes));
}

TEST(Sha256Test, AMissingFileIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const auto digest = sha256_of_file(folder / "absent");
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code, ErrorCode::io_error);
  EXPECT_THAT(digest.error().message, HasSubstr("absent: opening for reading: No such file"));
}

}  // namespace
}  // namespace harness
