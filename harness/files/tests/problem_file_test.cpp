#include "harness/files/problem_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;

// A strided input before its own storage, a table whose last row is short, a whole output and one
// whose storage is no whole number of elements.
ProblemFile example() {
  Problem problem;
  problem.operation = "example";
  problem.scalars = {{"max_num_pages", 3}, {"negative", -1}};
  problem.tensors = {
      {"pool", Role::input, DType::u8, {2, 3}, {5, 1}, -7, {1, 2, 3, 4, 5, 6, 7, 8}, 16},
      {"table", Role::input, DType::i32, {2, 1}, {2, 1}, 0, std::vector<std::uint8_t>(12, 3), 0},
      {"out", Role::output, DType::e4m3, {2, 2}, {2, 1}, 0, {0xab, 0xab, 0xab, 0xab}, 0},
      {"odd", Role::output, DType::u16, {1}, {1}, 1, {7, 7, 7}, 1},
  };
  return {std::move(problem), Outputs{{1, 2, 3, 4}, {7, 8, 9}}, {{"case", "example/1"}}};
}

void expect_equal(const Problem& a, const Problem& b) {
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.scalars, b.scalars);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    EXPECT_EQ(a.tensors[i].name, b.tensors[i].name);
    EXPECT_EQ(a.tensors[i].role, b.tensors[i].role);
    EXPECT_EQ(a.tensors[i].dtype, b.tensors[i].dtype);
    EXPECT_EQ(a.tensors[i].shape, b.tensors[i].shape);
    EXPECT_EQ(a.tensors[i].strides, b.tensors[i].strides);
    EXPECT_EQ(a.tensors[i].origin_bytes, b.tensors[i].origin_bytes);
    EXPECT_EQ(a.tensors[i].storage, b.tensors[i].storage);
    EXPECT_EQ(a.tensors[i].misalignment_bytes, b.tensors[i].misalignment_bytes);
  }
}

TEST(ProblemFileTest, AGoldenFileComesBackAsWritten) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_problem_file(folder / "f", example()));
  const auto file = read_problem_file(folder / "f");
  ASSERT_TRUE(file) << file.error().message;
  expect_equal(file->problem, example().problem);
  EXPECT_EQ(file->expected, example().expected);
  EXPECT_EQ(file->facts, example().facts);
}

TEST(ProblemFileTest, AProblemWithoutAnswersHasNone) {
  ProblemFile question = example();
  question.expected.reset();
  const auto tensors = to_tensor_file(question);
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_EQ(tensors->find("expected.out"), nullptr);
  const auto file = problem_file_from(*tensors, "f");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_FALSE(file->expected);
  expect_equal(file->problem, example().problem);
}

TEST(ProblemFileTest, TensorsAreStoredInTheirOwnShapeWhereItIsTheWholeStorage) {
  const auto tensors = to_tensor_file(example());
  ASSERT_TRUE(tensors) << tensors.error().message;
  const auto shape = [&](const char* name) { return tensors->find(name)->shape; };
  EXPECT_EQ(shape("out"), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(shape("expected.out"), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(shape("pool"), (std::vector<std::int64_t>{8}));
  EXPECT_EQ(shape("table"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(tensors->find("table")->dtype, DType::i32);
  EXPECT_EQ(shape("odd"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(tensors->find("odd")->dtype, DType::u8);
}

TEST(ProblemFileTest, EveryChangedByteIsRefused) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_problem_file(folder / "f", example()));
  const auto bytes = read_file(folder / "f", 100000);
  ASSERT_TRUE(bytes);
  for (std::size_t i = 0; i < bytes->size(); ++i) {
    for (const unsigned flip : {0x01U, 0x20U, 0x80U, 0xffU}) {
      std::vector<std::uint8_t> damaged = *bytes;
      damaged[i] = static_cast<std::uint8_t>(damaged[i] ^ flip);
      const auto file = parse_safetensors(damaged, "damaged").and_then([](TensorFile tensors) {
        return problem_file_from(std::move(tensors), "damaged");
      });
      EXPECT_FALSE(file) << "byte " << i << " xor " << flip;
    }
  }
}

// Writes `file` with its digest made right again after `change`.
std::string error_after(const std::function<void(TensorFile&)>& change) {
  TensorFile file = *to_tensor_file(example());
  change(file);
  const auto stated = problem_file_from(file, "hostile");
  if (stated) return "accepted";
  // "...: the contents give DIGEST, the file states ...": a hostile writer states the right one.
  const std::string& message = stated.error().message;
  const auto at = message.find("the contents give ");
  if (at == std::string::npos) return message;
  file.metadata["sha256"] = message.substr(at + 18, 64);
  const auto again = problem_file_from(file, "hostile");
  return again ? "accepted" : again.error().message;
}

std::function<void(TensorFile&)> set(const char* key, const char* value) {
  return [=](TensorFile& file) { file.metadata[key] = value; };
}

TEST(HostileProblemFileTest, MetadataAreChecked) {
  EXPECT_EQ(error_after([](TensorFile&) {}), "accepted");
  EXPECT_THAT(error_after([](TensorFile& f) { f.metadata.erase("format"); }),
              HasSubstr("expected \"format\", got none"));
  EXPECT_THAT(error_after(set("format", "fp4cts problem 2")),
              HasSubstr("got \"fp4cts problem 2\""));
  EXPECT_THAT(error_after([](TensorFile& f) { f.metadata.erase("operation"); }),
              HasSubstr("\"operation\""));
  EXPECT_THAT(error_after([](TensorFile& f) { f.metadata.erase("sha256"); }),
              HasSubstr("\"sha256\""));
  EXPECT_THAT(error_after([](TensorFile& f) { f.metadata.erase("scalars"); }),
              HasSubstr("\"scalars\""));
  EXPECT_THAT(error_after(set("scalars", "[]")), HasSubstr("expected an object"));
  EXPECT_THAT(error_after(set("scalars", R"({"a":1.5})")), HasSubstr("\"a\": expected an integer"));
  EXPECT_THAT(error_after(set("scalars", R"({"a":1,"a":1})")), HasSubstr("duplicate key"));
  EXPECT_THAT(error_after(set("tensors", "{}")), HasSubstr("expected an array"));
  EXPECT_THAT(error_after(set("tensors", "[1]")), HasSubstr("/0: expected an object, got 1"));
}

std::string error_of_tensor(const char* key, const nlohmann::json& value) {
  return error_after([&](TensorFile& file) {
    auto tensors = nlohmann::json::parse(file.metadata["tensors"]);
    tensors[0][key] = value;
    file.metadata["tensors"] = tensors.dump();
  });
}

TEST(HostileProblemFileTest, DescriptionsAreChecked) {
  EXPECT_THAT(error_of_tensor("name", "table"), HasSubstr("name \"table\" repeats"));
  EXPECT_THAT(error_of_tensor("name", "absent"),
              HasSubstr("expected a tensor \"absent\", got none"));
  EXPECT_THAT(error_of_tensor("role", "both"), HasSubstr("got \"both\""));
  EXPECT_THAT(error_of_tensor("dtype", "F64"), HasSubstr("got \"F64\""));
  EXPECT_THAT(error_of_tensor("dtype", "I32"),
              HasSubstr("tensor \"pool\": expected I32 [2], got U8 [8]"));
  EXPECT_THAT(error_of_tensor("strides", {1}),
              HasSubstr("expected 2 of them, one per axis, got 1"));
  EXPECT_THAT(error_of_tensor("strides", {1, INT64_MIN}), HasSubstr("addresses below 2^63"));
  EXPECT_THAT(error_of_tensor("strides", {INT64_MAX, 1}), HasSubstr("addresses below 2^63"));
  EXPECT_THAT(error_of_tensor("shape", {-1, 3}), HasSubstr("nonnegative axes"));
  EXPECT_THAT(error_of_tensor("shape", {UINT64_MAX, 3}), HasSubstr("integers of 63 bits"));
  EXPECT_THAT(error_of_tensor("origin_bytes", INT64_MIN), HasSubstr("addresses below 2^63"));
  EXPECT_THAT(error_of_tensor("misalignment_bytes", 256), HasSubstr("[0, 255], got 256"));
  EXPECT_THAT(error_of_tensor("extra", 0), HasSubstr("expected no such member"));
}

TEST(HostileProblemFileTest, TensorsAreExactlyThoseDescribed) {
  EXPECT_THAT(error_after([](TensorFile& f) {
                f.tensors.push_back({"extra", DType::u8, {0}, {}});
              }),
              HasSubstr("\"extra\": expected no such tensor"));
  EXPECT_THAT(error_after([](TensorFile& f) {
                std::erase_if(f.tensors,
                              [](const FileTensor& t) { return t.name == "expected.odd"; });
              }),
              HasSubstr("expected a tensor \"expected.odd\", got none"));
  EXPECT_THAT(error_after([](TensorFile& f) {
                for (FileTensor& t : f.tensors) {
                  if (t.name == "expected.odd") t = {t.name, DType::u16, {2}, {1, 2, 3, 4}};
                }
              }),
              HasSubstr("\"expected.odd\": expected 3 bytes, got 4"));
}

std::string answer_error(const std::function<void(TensorFile&)>& change) {
  TensorFile file = to_tensor_file(example().problem, *example().expected);
  change(file);
  const auto outputs = outputs_from(file, example().problem, "answer");
  return outputs ? "accepted" : outputs.error().message;
}

TEST(AnswerFileTest, OutputsComeBackAsWritten) {
  const TensorFile file = to_tensor_file(example().problem, *example().expected);
  const auto outputs = outputs_from(file, example().problem, "answer");
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(*outputs, *example().expected);
}

TEST(AnswerFileTest, BytesStandForAnyDtype) {
  EXPECT_EQ(answer_error([](TensorFile& f) { f.tensors[0].dtype = DType::u8; }), "accepted");
  EXPECT_EQ(answer_error([](TensorFile& f) {
              f.tensors[0].dtype = DType::u8;
              f.tensors[0].shape = {4};
            }),
            "accepted");
}

TEST(AnswerFileTest, MissingExtraRenamedAndCutOutputsAreRefused) {
  EXPECT_THAT(answer_error([](TensorFile& f) { f.tensors.pop_back(); }),
              HasSubstr("expected a tensor \"odd\", got none"));
  EXPECT_THAT(answer_error([](TensorFile& f) { f.tensors[0].name = "Out"; }),
              HasSubstr("expected a tensor \"out\", got none"));
  EXPECT_THAT(answer_error([](TensorFile& f) {
                f.tensors.push_back({"pool", DType::u8, {0}, {}});
              }),
              HasSubstr("\"pool\": expected no such output"));
  EXPECT_THAT(answer_error([](TensorFile& f) {
                f.tensors[0].shape = {1, 2};
                f.tensors[0].bytes.resize(2);
              }),
              HasSubstr("expected F8_E4M3 [2, 2] or U8 [4], got F8_E4M3 [1, 2]"));
  EXPECT_THAT(answer_error([](TensorFile& f) {
                f.tensors[0].shape = {4, 1};
              }),
              HasSubstr("got F8_E4M3 [4, 1]"));
}

}  // namespace
}  // namespace harness
