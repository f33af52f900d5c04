#include "vectors/src/answer_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/files/file.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/files/tests/temporary_folder.hpp"
#include "vectors/src/vector_set.hpp"
#include "vectors/tests/vector_paths.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AnswerCheckTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = generate_sets({{"smoke", 1, 0}}, golden(), [](const std::string&) {});
    ASSERT_TRUE(made) << made.error().message;
    for (const ManifestFile& file : made->files) {
      paths_.push_back(file.path);
      write_answer(file.path, [](Outputs&) {});
    }
  }
  fs::path golden() const { return folder_ / "golden"; }
  fs::path answers() const { return folder_ / "answers"; }
  const std::vector<std::string>& paths() const { return paths_; }
  static constexpr const char* layout = "smoke/nvfp4_gather_index_k/layout_page.safetensors";
  static constexpr const char* pairs = "smoke/nvfp4_gather_index_k/exhaustive_page.safetensors";

  // The golden bytes, changed.
  void write_answer(const std::string& path, const std::function<void(Outputs&)>& change) {
    const auto file = read_problem_file(golden() / path);
    ASSERT_TRUE(file) << file.error().message;
    Outputs outputs = *file->expected;
    change(outputs);
    fs::create_directories((answers() / path).parent_path());
    ASSERT_TRUE(write_safetensors(answers() / path, to_tensor_file(file->problem, outputs)));
  }
  AnswerCheck check(const std::string& path = {}, const oracle::Profile* declared = nullptr) {
    auto checked = path.empty() ? check_answers(golden(), answers(), declared)
                                : check_answers(golden() / path, answers() / path, declared);
    EXPECT_TRUE(checked) << checked.error().message;
    return checked.value_or(AnswerCheck{});
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> paths_;
};

TEST_F(AnswerCheckTest, RightAnswersPass) {
  const AnswerCheck result = check();
  EXPECT_THAT(result.unusable, IsEmpty());
  ASSERT_THAT(result.records, SizeIs(paths().size()));
  for (const CaseRecord& record : result.records) {
    EXPECT_EQ(record.verdict, Verdict::pass) << record.case_id << ": " << record.reason;
    EXPECT_GT(record.bytes_compared, 0U);
    EXPECT_THAT(record.output_sha256, SizeIs(64));
  }
}

TEST_F(AnswerCheckTest, OneWrongByteIsFound) {
  write_answer(layout, [](Outputs& outputs) { outputs.front()[16383] ^= 1; });
  const AnswerCheck result = check(layout);
  EXPECT_EQ(result.records.front().verdict, Verdict::mismatch);
  EXPECT_EQ(result.records.front().diagnosis.mismatches, 1U);
  EXPECT_EQ(result.records.front().diagnosis.first.front().byte, 16383U);
}

TEST_F(AnswerCheckTest, AByteThatMustStayIsPartOfTheVerdict) {
  write_answer(layout, [](Outputs& outputs) { outputs.front().back() ^= 1; });
  EXPECT_EQ(check(layout).records.front().verdict, Verdict::mismatch);
}

TEST_F(AnswerCheckTest, AnotherProfileMayBeDeclared) {
  const auto own = read_problem_file(golden() / pairs);
  ASSERT_TRUE(own);
  EXPECT_EQ(check(pairs, &oracle::profiles::ocp()).records.front().verdict, Verdict::pass);
  const CaseRecord record = check(pairs, &oracle::profiles::fnuz()).records.front();
  EXPECT_EQ(record.verdict, Verdict::mismatch);
  EXPECT_EQ(record.diagnosis.matching_profile, "ocp");
}

TEST_F(AnswerCheckTest, MissingExtraRenamedAndCutTensorsAreMismatches) {
  const auto reason = [&](const std::function<void(TensorFile&)>& change) {
    TensorFile file = *read_safetensors(answers() / layout);
    change(file);
    EXPECT_TRUE(write_safetensors(answers() / layout, file));
    const AnswerCheck result = check(layout);
    EXPECT_EQ(result.records.front().verdict, Verdict::mismatch);
    write_answer(layout, [](Outputs&) {});
    return result.records.front().reason;
  };
  EXPECT_THAT(reason([](TensorFile& f) { f.tensors.front().name = "output"; }),
              HasSubstr("expected a tensor \"out\", got none"));
  EXPECT_THAT(reason([](TensorFile& f) { f.tensors.clear(); }), HasSubstr("\"out\", got none"));
  EXPECT_THAT(reason([](TensorFile& f) {
                f.tensors.push_back({"more", DType::u8, {0}, {}});
              }),
              HasSubstr("\"more\": expected no such output"));
  EXPECT_THAT(reason([](TensorFile& f) {
                f.tensors.front().shape.front() -= 1;
                f.tensors.front().bytes.resize(f.tensors.front().bytes.size() - 16384);
              }),
              HasSubstr("expected F8_E4M3"));
}

TEST_F(AnswerCheckTest, AFileThatIsCutIsUnusable) {
  fs::resize_file(answers() / layout, fs::file_size(answers() / layout) - 1);
  const AnswerCheck result = check(layout);
  ASSERT_THAT(result.unusable, SizeIs(1));
  EXPECT_THAT(result.unusable.front(), HasSubstr("layout_page.safetensors: tensor \"out\""));
  EXPECT_EQ(result.records.front().verdict, Verdict::not_run);
}

TEST_F(AnswerCheckTest, MissingAndExtraFilesShow) {
  fs::rename(answers() / layout, answers() / "smoke" / "moved.safetensors");
  const AnswerCheck result = check();
  ASSERT_THAT(result.unusable, SizeIs(1));
  EXPECT_THAT(result.unusable.front(),
              HasSubstr("moved.safetensors: no golden file has this path"));
  const auto missing =
      std::count_if(result.records.begin(), result.records.end(),
                    [](const CaseRecord& record) { return record.verdict == Verdict::not_run; });
  EXPECT_EQ(missing, 1);
}

TEST_F(AnswerCheckTest, NobodyIsJudgedByAWrongGoldenFile) {
  ProblemFile file = *read_problem_file(golden() / layout);
  file.expected->front()[0] ^= 1;
  ASSERT_TRUE(write_problem_file(golden() / layout, file));
  const auto denied = check_answers(golden() / layout, answers() / layout, nullptr);
  ASSERT_FALSE(denied);
  EXPECT_THAT(denied.error().message, HasSubstr("not what this suite's oracle answers"));

  file.expected.reset();
  ASSERT_TRUE(write_problem_file(golden() / layout, file));
  EXPECT_THAT(check_answers(golden() / layout, answers() / layout, nullptr).error().message,
              HasSubstr("got a problem alone"));
  EXPECT_THAT(check_answers(golden(), answers() / layout, nullptr).error().message,
              HasSubstr("expected a folder"));
  EXPECT_THAT(check_answers(answers() / pairs, answers() / pairs, nullptr).error().message,
              HasSubstr("expected \"format\", got none"));
}

TEST_F(AnswerCheckTest, AGoldenFileHoldsTheCaseThatItNames) {
  ProblemFile file = *read_problem_file(golden() / layout);
  const ProblemFile other = *read_problem_file(golden() / pairs);
  for (const char* fact : {"case", "spec"}) file.facts[fact] = other.facts.at(fact);
  ASSERT_TRUE(write_problem_file(golden() / layout, file));
  const auto denied = check_answers(golden() / layout, answers() / layout, nullptr);
  ASSERT_FALSE(denied);
  EXPECT_THAT(denied.error().message,
              HasSubstr("states call 0 of the case nvfp4_gather_index_k/exhaustive_page, and holds "
                        "another problem"));
}

TEST(ElementAnswerTest, ATableIsCheckedLikeAnyOther) {
  const TemporaryFolder folder;
  const fs::path golden = data_folder() / "elements" / "mxfp4_to_f32.safetensors";
  const auto file = read_problem_file(golden);
  ASSERT_TRUE(file) << file.error().message;
  Outputs outputs = *file->expected;
  for (std::size_t code = 0; code < 16; ++code) {  // scale 00 flushed
    for (std::size_t byte = 0; byte < 4; ++byte) outputs.front()[4 * code + byte] = 0;
    if (code >= 8) outputs.front()[4 * code + 3] = 0x80;
  }
  ASSERT_TRUE(write_safetensors(folder / "a", to_tensor_file(file->problem, outputs)));
  const auto checked = check_answers(golden, folder / "a", nullptr);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->records.front().case_id, "element/mxfp4_to_f32");
  EXPECT_EQ(checked->records.front().operation, "element");
  EXPECT_EQ(checked->records.front().diagnosis.fault_class, "e8m0_code_0_flushed");
}

}  // namespace
}  // namespace harness
