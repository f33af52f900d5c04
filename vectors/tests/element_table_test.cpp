// The committed element tables against the oracle and, element by element, against the witness,
// which shares no code with it.
#include "vectors/src/element_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "harness/files/problem_file.hpp"
#include "oracle/witness/nearest.hpp"
#include "vectors/src/golden.hpp"
#include "vectors/tests/vector_paths.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using witness::Beyond;
using witness::Format;
using witness::Mode;

class ElementTableTest : public ::testing::TestWithParam<std::string> {
 protected:
  const ElementTable& table() const { return *element_table_of("element/" + GetParam()); }
  ProblemFile committed() const {
    auto file = read_problem_file(data_folder() / "elements" / (GetParam() + ".safetensors"));
    EXPECT_TRUE(file) << file.error().message;
    return file.value_or(ProblemFile{});
  }
};

Format format_of(const oracle::FormatSpec& spec) {
  if (spec == oracle::e2m1::spec) return Format::e2m1;
  if (spec == oracle::e4m3::spec) return Format::e4m3;
  if (spec == oracle::e8m0::spec) return Format::e8m0;
  if (spec == oracle::f16::spec) return Format::f16;
  return spec == oracle::bf16::spec ? Format::bf16 : Format::f32;
}

// What the tables' documents say of inputs for which the destination has no code.
std::uint32_t special_answer(const ElementTable& table, const witness::Number& x) {
  if (x.kind == witness::Number::Kind::nan) return 7;  // into e2m1: +6
  EXPECT_EQ(table.destination.name, "e8m0");
  return 0;  // zero, and what is below 2^-127
}

std::uint32_t witnessed(const ElementTable& table, const Problem& problem, std::uint64_t i) {
  const auto bits = [&](std::size_t tensor) {
    return element_bits(problem.tensors[tensor].storage, problem.tensors[tensor].dtype, i);
  };
  const Format to = format_of(table.destination);
  if (const auto* pairs = std::get_if<PairTable>(&table.kind)) {
    const witness::Number product = pairs->scale_format == oracle::e4m3::spec
                                        ? witness::product_e2m1_e4m3(bits(0), bits(1))
                                        : witness::product_e2m1_e8m0(bits(0), bits(1));
    return witness::nearest(to, product, Mode::nearest_even,
                            to == Format::e4m3 ? Beyond::saturates : Beyond::infinity)
        .value();
  }
  const auto& conversion = std::get<ConversionTable>(table.kind);
  witness::Number x = witness::number_of(format_of(conversion.source), bits(0));
  Mode mode = Mode::nearest_even;
  if (conversion.rounding.mode == oracle::Round::rtz) mode = Mode::zero;
  if (conversion.rounding.mode == oracle::Round::rtp) mode = Mode::positive;
  if (to == Format::e8m0) x.negative = false;  // the magnitude
  const auto code =
      witness::nearest(to, x, mode, to == Format::f32 ? Beyond::infinity : Beyond::saturates);
  return code ? *code : special_answer(table, x);
}

TEST_P(ElementTableTest, TheCommittedFileIsWhatTheOracleAnswers) {
  const ProblemFile file = committed();
  ASSERT_EQ(file.problem.operation, "element/" + GetParam());
  const auto answer = golden_outputs(file.problem, oracle::profiles::ocp());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(file.expected, *answer);
}

TEST_P(ElementTableTest, TheCommittedFileIsWhatTheWitnessAnswers) {
  const ProblemFile file = committed();
  ASSERT_TRUE(file.expected);
  const DType dtype = file.problem.tensors.back().dtype;
  const std::uint64_t count = file.expected->front().size() / element_bytes(dtype);
  ASSERT_GT(count, 0U);
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSERT_EQ(element_bits(file.expected->front(), dtype, i), witnessed(table(), file.problem, i))
        << site_of(table(), file.problem, i);
  }
}

TEST_P(ElementTableTest, TheCommittedInputsAreTheTables) {
  const Problem made = problem_of(table());
  const Problem kept = committed().problem;
  ASSERT_EQ(made.tensors.size(), kept.tensors.size());
  for (std::size_t i = 0; i < made.tensors.size(); ++i) {
    EXPECT_EQ(made.tensors[i].name, kept.tensors[i].name);
    EXPECT_EQ(made.tensors[i].storage, kept.tensors[i].storage);
  }
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const ElementTable& table : all_element_tables()) names.emplace_back(table.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Tables, ElementTableTest, ::testing::ValuesIn(table_names()),
                         [](const auto& test) { return test.param; });

std::vector<std::uint32_t> sources(const char* name) {
  const Problem problem = problem_of(*element_table_of(name));
  const Tensor& source = problem.tensors.front();
  std::vector<std::uint32_t> codes;
  for (std::int64_t i = 0; i < source.shape.front(); ++i) {
    codes.push_back(element_bits(source.storage, source.dtype, static_cast<std::uint64_t>(i)));
  }
  return codes;
}

// docs/reported-faults.md's masked classes show at these inputs alone.
TEST(ElementInputsTest, HoldTheInputsThatUnmask) {
  const auto e4m3 = sources("element/f32_to_e4m3");
  for (const std::uint32_t bits : {
           0x3f880001U,  // A14: just above a midpoint, by f16 a tie
           0x3fa88000U,  // A14: half a bf16 step above a midpoint
           0x43e80000U,  // 464, the midpoint of 448 and 480
           0x43e80001U,
           0x80000000U,
           0x7f800000U,
           0xffc00000U,
       }) {
    EXPECT_THAT(e4m3, Contains(bits)) << std::hex << bits;
  }
  EXPECT_THAT(sources("element/f32_to_e8m0_rtp"), Contains(0x41800001U));  // Q07: 2^4 + 1 ulp
  EXPECT_THAT(sources("element/f32_to_e8m0_rtz"), Contains(0x00000001U));  // Q17
  EXPECT_THAT(sources("element/f32_to_e2m1"), Contains(0x40a00000U));      // Q01: 5, a tie
}

TEST(ElementInputsTest, EveryMidpointHasItsNeighbours) {
  const auto list = sources("element/f32_to_e4m3");
  const std::set<std::uint32_t> inputs(list.begin(), list.end());
  EXPECT_EQ(inputs.size(), list.size());
  // 126 midpoints between the 127 magnitudes, and 464.
  unsigned midpoints = 0;
  for (std::uint32_t code = 0; code < 0x7f; ++code) {
    const witness::Number low = witness::number_of(Format::e4m3, code);
    for (const std::uint32_t bits : inputs) {
      if ((bits >> 31) != 0) continue;
      const witness::Number x = witness::number_of(Format::f32, bits);
      if (x.kind != witness::Number::Kind::finite) continue;
      const witness::Fixed twice = x.magnitude + x.magnitude;
      const witness::Fixed high = code == 0x7e
                                      ? witness::Fixed(480, 0)
                                      : witness::number_of(Format::e4m3, code + 1).magnitude;
      if (twice != low.magnitude + high) continue;
      ++midpoints;
      EXPECT_TRUE(inputs.contains(bits - 1) && inputs.contains(bits + 1)) << std::hex << bits;
      EXPECT_TRUE(inputs.contains(bits | 0x80000000U)) << std::hex << bits;
    }
  }
  EXPECT_EQ(midpoints, 127U);
}

TEST(ElementTableProblemTest, AnotherProblemIsRefused) {
  const ElementTable& table = *element_table_of("element/e2m1_to_f32");
  Problem problem = problem_of(table);
  problem.tensors.front().storage.pop_back();
  const auto answer = golden_outputs(problem, oracle::profiles::ocp());
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("element/e2m1_to_f32: expected the tensors"));
  EXPECT_EQ(element_table_of("element/nothing"), nullptr);
  EXPECT_EQ(element_table_of("nvfp4_gather_index_k"), nullptr);
}

// Changes outputs of a table and asks for the diagnosis.
Diagnosis diagnosis_of(
    const char* operation, const oracle::Profile& declared,
    const std::function<void(const Problem&, std::vector<std::uint8_t>&)>& change) {
  const Problem problem = problem_of(*element_table_of(operation));
  const Outputs expected = golden_outputs(problem, declared).value();
  Outputs actual = expected;
  change(problem, actual.front());
  EXPECT_NE(actual, expected);
  return diagnose_outputs(std::span(&problem, 1), declared, expected, actual);
}

void put32(std::vector<std::uint8_t>& bytes, std::uint64_t index, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i)
    bytes[4 * index + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

TEST(ElementDiagnosisTest, NamesALostMinusZero) {
  const Diagnosis diagnosis =
      diagnosis_of("element/f32_to_e4m3", oracle::profiles::ocp(), [](const Problem&, auto& bytes) {
        for (std::uint8_t& byte : bytes) byte = byte == 0x80 ? 0x00 : byte;
      });
  EXPECT_EQ(diagnosis.fault_class, "enc_negative_zero_lost");
  EXPECT_THAT(diagnosis.explanation, HasSubstr("-0 results become +0; this accounts for all"));
  ASSERT_FALSE(diagnosis.first.empty());
  EXPECT_THAT(diagnosis.first.front().text, HasSubstr("expected 0x80 (-0), got 0x00 (0)"));
}

TEST(ElementDiagnosisTest, NamesAScaleMadeByShifting) {
  const Diagnosis diagnosis =
      diagnosis_of("element/e8m0_to_f32", oracle::profiles::ocp(), [](const Problem&, auto& bytes) {
        for (std::uint32_t code = 0; code < 256; ++code) put32(bytes, code, code << 23);
      });
  EXPECT_EQ(diagnosis.mismatches, 2U);
  EXPECT_EQ(diagnosis.fault_class, "e8m0_code_0_flushed");
  EXPECT_EQ(diagnosis.first[0].text,
            "index 0, source 0x00 (2^-127), exact 2^-127: expected 0x00400000 (2^-127), got "
            "0x00000000 (0)");
}

TEST(ElementDiagnosisTest, NamesATruncatedProduct) {
  const Diagnosis diagnosis = diagnosis_of(
      "element/nvfp4_to_e4m3", oracle::profiles::ocp(),
      [](const Problem& problem, std::vector<std::uint8_t>& bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          bytes[i] = static_cast<std::uint8_t>(
              witness::nearest(Format::e4m3,
                               witness::product_e2m1_e4m3(problem.tensors[0].storage[i],
                                                          problem.tensors[1].storage[i]),
                               Mode::zero, Beyond::saturates)
                  .value());
        }
      });
  EXPECT_EQ(diagnosis.fault_class, "enc_truncates");
}

TEST(ElementDiagnosisTest, FindsTheProfileThatTheBytesMatch) {
  const Diagnosis diagnosis = diagnosis_of(
      "element/mxfp4_to_f32", oracle::profiles::ocp(), [](const Problem& problem, auto& bytes) {
        bytes = golden_outputs(problem, oracle::profiles::cuda()).value().front();
      });
  EXPECT_EQ(diagnosis.mismatches, 16U);
  EXPECT_EQ(diagnosis.matching_profile, "cuda");
}

TEST(ElementDiagnosisTest, LeavesWhatNothingExplainsUnnamed) {
  const Diagnosis diagnosis =
      diagnosis_of("element/e4m3_to_f32", oracle::profiles::ocp(),
                   [](const Problem&, auto& bytes) { bytes[4 * 0x38] ^= 1; });
  EXPECT_EQ(diagnosis.mismatches, 1U);
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_EQ(diagnosis.first.front().site["index"], 0x38);
}

}  // namespace
}  // namespace harness
