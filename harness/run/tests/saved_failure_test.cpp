#include "harness/run/saved_failure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "harness/fakes/fake_operation.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SavedFailureTest : public ::testing::Test {
 protected:
  static nlohmann::json spec_of(int bytes, int calls = 1) {
    return {{"bytes", bytes}, {"tail", 2}, {"calls", calls}, {"seed", 0}};
  }

  void save(const nlohmann::json& spec) {
    CaseRecord record;
    record.path = "fp32";
    record.device = "cpu";
    record.reason = "1 of 5 output bytes are wrong";
    const Status saved =
        save_failure(folder_.path(), operation_, spec, oracle::profiles::ocp(), record, 9);
    ASSERT_TRUE(saved) << saved.error().message;
  }

  Result<std::vector<SavedFailure>> read() {
    return read_saved_failures(folder_.path(), operations_);
  }

  std::string error() {
    const auto saved = read();
    return saved ? "" : saved.error().message;
  }

  // Replaces one fact of the file of spec_of(7).
  void change(const std::string& fact, const std::string& value) {
    const auto path = saved_failure_path(folder_.path(), "doubling", spec_of(7));
    ProblemFile file = read_problem_file(path).value();
    file.facts[fact] = value;
    ASSERT_TRUE(write_problem_file(path, file));
  }

  fakes::FakeOperation operation_;
  fakes::FakeOperation other_{"other"};
  std::array<const Operation*, 1> operations_{&operation_};
  TemporaryFolder folder_;
};

TEST_F(SavedFailureTest, ComesBackAsItWas) {
  save(spec_of(7));
  save(spec_of(8, 3));
  const auto saved = read();
  ASSERT_TRUE(saved) << saved.error().message;
  ASSERT_THAT(*saved, SizeIs(2)) << "a case of three calls is one failure";
  std::vector<nlohmann::json> specs;
  for (const SavedFailure& each : *saved) {
    specs.push_back(each.from.spec);
    EXPECT_EQ(each.path, saved_failure_path(folder_.path(), "doubling", each.from.spec));
    EXPECT_EQ(each.from.id, saved_case_id("doubling", each.from.spec));
    EXPECT_EQ(each.comment, "fp32 on cpu: 1 of 5 output bytes are wrong");
  }
  EXPECT_THAT(specs, ::testing::UnorderedElementsAre(spec_of(7), spec_of(8, 3)));
}

TEST_F(SavedFailureTest, IsAGoldenVector) {
  save(spec_of(7));
  const ProblemFile file = read_problem_file(read()->front().path).value();
  ASSERT_TRUE(file.expected);
  EXPECT_EQ(*file.expected, operation_.expected(file.problem, oracle::profiles::ocp()).value());
  EXPECT_EQ(file.facts.at("seed"), "9");
}

TEST_F(SavedFailureTest, TheSameSpecIsOneFile) {
  save(spec_of(7));
  save(spec_of(7));
  EXPECT_THAT(*read(), SizeIs(1));
}

TEST_F(SavedFailureTest, AFolderThatIsNotThereHoldsNone) {
  EXPECT_THAT(*read_saved_failures(folder_.path() / "none", operations_), IsEmpty());
}

TEST_F(SavedFailureTest, NoneIsMissedForItsNameOrForALink) {
  save(spec_of(8, 3));
  const auto path = saved_failure_path(folder_.path(), "doubling", spec_of(8, 3));
  EXPECT_THAT(*read(), SizeIs(1));  // its later calls are part of it
  auto renamed = path;
  renamed.replace_filename("an.old.one.safetensors");
  std::filesystem::rename(path, renamed);
  EXPECT_THAT(error(), HasSubstr("expected the file of a case's first call"));
  for (const char* call : {".call1", ".call2"}) {
    auto later = path;
    later.replace_extension(std::string(call) + ".safetensors");
    std::filesystem::remove(later);
  }
  EXPECT_THAT(*read(), SizeIs(1));
  const auto link = folder_.path() / "link";
  std::filesystem::create_directory_symlink(folder_.path() / "doubling", link);
  EXPECT_THAT(*read(), SizeIs(2));
  std::filesystem::remove(link);
  std::filesystem::create_directory_symlink("nowhere", link);
  EXPECT_THAT(read_saved_failures(link, operations_).error().message,
              HasSubstr("a link to what is not there"));
}

TEST_F(SavedFailureTest, OtherFilesAreRefusedByName) {
  save(spec_of(7));
  change("spec", spec_of(8).dump());
  EXPECT_THAT(error(), HasSubstr("another problem than the one it holds"));
  change("spec", "{");
  EXPECT_THAT(error(), HasSubstr("doubling/saved_"));
}

TEST_F(SavedFailureTest, LaterCallsAreRefused) {
  save(spec_of(8, 3));
  auto second = saved_failure_path(folder_.path(), "doubling", spec_of(8, 3));
  second.replace_extension(".call1.safetensors");
  const auto saved = read_saved_failures(second, operations_);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("expected the file of a case's first call"));
}

TEST_F(SavedFailureTest, OperationsThatTheSuiteLacksAreRefused) {
  save(spec_of(7));
  operations_[0] = &other_;
  EXPECT_THAT(error(), HasSubstr("this suite has no operation \"doubling\""));
}

}  // namespace
}  // namespace harness
