// The operation encode_e4m3: its contract, its bytes by the documents, its cases and its diagnosis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "harness/model/operation.hpp"
#include "harness/suite/operations/convert_spec.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const Operation& encode() { return *operation_named("encode_e4m3"); }
const oracle::Profile& ocp() { return oracle::profiles::ocp(); }

json values(const std::vector<std::string>& x) {
  return {{"contents", {{"kind", "values"}, {"x", x}}}};
}

Problem problem_of(const std::vector<std::string>& x) {
  return encode().build(values(x)).value().front();
}

std::uint8_t byte_of(const std::string& bits, const oracle::Profile& profile = ocp()) {
  return encode().expected(problem_of({bits}), profile).value()[0][0];
}

TEST(EncodeE4m3, GivesTheBytesOfPublicReports) {
  EXPECT_EQ(byte_of("3ff9999a"), 0x40);  // 1.95 carries to 2 (docs/faults.md A10)
  EXPECT_EQ(byte_of("3f880001"), 0x39);  // just above a midpoint: f16 would give 38 (A14)
  EXPECT_EQ(byte_of("3fa88000"), 0x3b);  // and bf16 3a
  EXPECT_EQ(byte_of("43e80000"), 0x7e);  // 464 is a tie with what e4m3 lacks: 448
  EXPECT_EQ(byte_of("43e80001"), 0x7e);  // and beyond it saturates
  EXPECT_EQ(byte_of("c3e88000"), 0xfe);
  EXPECT_EQ(byte_of("7f800000"), 0x7e);
  EXPECT_EQ(byte_of("ff800000"), 0xfe);
  EXPECT_EQ(byte_of("7fc00000"), 0x7f);
  EXPECT_EQ(byte_of("ffffffff"), 0x7f);
  EXPECT_EQ(byte_of("80000000"), 0x80);
  EXPECT_EQ(byte_of("80000001"), 0x80);
  EXPECT_EQ(byte_of("3a800000"), 0x00);  // 2^-10 is half of the smallest: to even
  EXPECT_EQ(byte_of("3a800001"), 0x01);
  EXPECT_EQ(byte_of("c0000000", oracle::profiles::fnuz()), 0xc8);
}

TEST(EncodeE4m3, SmokeHasEveryValueEveryMidpointAndTheirNeighbours) {
  const std::span<const std::uint32_t> edges = cast_edges({DType::f32, DType::e4m3});
  const auto has = [&](float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (const std::uint32_t near : {bits - 1, bits, bits + 1}) {
      for (const std::uint32_t sign : {0U, 0x80000000U}) {
        if (std::find(edges.begin(), edges.end(), near | sign) == edges.end()) return false;
      }
    }
    return true;
  };
  // Typed from OCP OFP8: subnormals k 2^-9, then (8 + m) 2^(e - 10) for e of 1 to 15.
  std::vector<float> finite;
  for (int k = 1; k < 8; ++k) finite.push_back(static_cast<float>(k) / 512);
  for (int e = 1; e < 16; ++e) {
    for (int m = 0; m < (e == 15 ? 7 : 8); ++m) {
      finite.push_back(static_cast<float>(8 + m) * static_cast<float>(1 << e) / 1024);
    }
  }
  ASSERT_EQ(finite.size(), 126U);
  EXPECT_TRUE(has(finite[0] / 2));
  for (std::size_t i = 0; i < finite.size(); ++i) {
    EXPECT_TRUE(has(finite[i])) << finite[i];
    if (i == 0) continue;
    EXPECT_TRUE(has((finite[i - 1] + finite[i]) / 2)) << finite[i];
  }
  EXPECT_TRUE(has(464));
  for (const std::uint32_t bits : {0x43e88000U, 0x80000000U, 0x7f800001U, 0xffffffffU}) {
    EXPECT_THAT(std::vector(edges.begin(), edges.end()), Contains(bits));
  }
  EXPECT_EQ(encode().cases(Level::smoke, 1).front().spec.at("count"), edges.size());
}

TEST(EncodeE4m3, NamesWhatBreaksItsContract) {
  const auto broken = [](const auto& change) {
    Problem problem = problem_of({"3f800000", "40000000"});
    change(problem);
    const Status status = encode().validate(problem);
    const auto expected = encode().expected(problem, ocp());
    EXPECT_EQ(status.has_value(), expected.has_value());
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(broken([](Problem&) {}), "");
  EXPECT_EQ(broken([](Problem& p) { p.tensors.pop_back(); }),
            "encode_e4m3: d: expected a tensor of this name, got none");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[0].dtype = DType::u32; }),
            "encode_e4m3: x: dtype: expected F32, got U32");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[1].shape = {3}; }),
            "encode_e4m3: d: shape: expected [2], got [3]");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[0].strides = {2}; }),
            "encode_e4m3: x: strides: expected [1], got [2]");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[0].storage.resize(7); }),
            "encode_e4m3: x: expected 2 elements of 4 bytes of storage, got 7 bytes");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[1].storage.resize(3); }),
            "encode_e4m3: d: expected 2 elements of 1 bytes of storage, got 3 bytes");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[1].origin_bytes = 1; }),
            "encode_e4m3: d: origin: expected the first byte of the storage, got byte 1");
  EXPECT_EQ(broken([](Problem& p) { p.tensors[1].role = Role::input; }),
            "encode_e4m3: d: expected an output, got an input");
  EXPECT_EQ(broken([](Problem& p) { p.scalars["n"] = 1; }),
            "encode_e4m3: scalars: expected 0 of them, got 1");
}

TEST(EncodeE4m3, RefusesSpecsByMember) {
  const auto message = [](const json& spec) {
    const auto built = encode().build(spec);
    return built ? std::string() : built.error().message;
  };
  EXPECT_THAT(message({{"count", 1}}), HasSubstr("contents"));
  EXPECT_THAT(message({{"contents", {{"kind", "edges"}}}, {"count", -1}}),
              HasSubstr("\"count\": expected an integer in [0, 67108864], got -1"));
  EXPECT_THAT(message(values({"3f80"})),
              HasSubstr("expected hex numbers of 8 digits, got \"3f80\""));
  json odd = values({"3f800000"});
  odd["misalignment_bytes"]["x"] = 2;
  EXPECT_THAT(message(odd), HasSubstr("expected a multiple of 4, got 2"));
}

TEST(EncodeE4m3, ShrinksToOneStatedValue) {
  json spec = encode().random_spec(3);
  spec["count"] = 200;
  const std::uint64_t bytes = encode().case_bytes(spec).value();
  EXPECT_EQ(bytes, 1000U);
  for (int step = 0; step < 20; ++step) {
    const std::vector<json> smaller = encode().smaller_specs(spec);
    if (smaller.empty()) break;
    EXPECT_LE(encode().case_bytes(smaller.front()).value(), encode().case_bytes(spec).value());
    spec = smaller.front();
  }
  EXPECT_EQ(encode().case_bytes(spec).value(), 5U);
  EXPECT_EQ(spec.at("contents").at("kind"), "values");
}

TEST(EncodeE4m3, SaysWhereWhatAndWhich) {
  const Problem problem = problem_of({"3f800000", "3f880001", "7fc00000"});
  const Outputs expected = encode().expected(problem, ocp()).value();
  Outputs actual = expected;
  actual[0][1] = 0x38;
  const Diagnosis diagnosis = encode().diagnose({&problem, 1}, ocp(), expected, actual);
  EXPECT_EQ(diagnosis.mismatches, 1U);
  ASSERT_EQ(diagnosis.first.size(), 1U);
  EXPECT_EQ(diagnosis.first[0].text,
            "element 1: x 0x3f880001 (8912897*2^-23): expected 0x39 (1.125), got 0x38 (1)");
  // One value cannot tell f16 from truncation or from bf16: both are said, and neither is named.
  EXPECT_EQ(diagnosis.fault_class, "");
  EXPECT_THAT(diagnosis.same_bytes_classes, IsSupersetOf({"enc_truncates", "double_rounding"}));

  actual[0][0] = 0xa5;
  actual[0][1] = 0xa5;
  actual[0][2] = 0xa5;
  EXPECT_EQ(encode().diagnose({&problem, 1}, ocp(), expected, actual).fault_class, "stale_bytes");
}

}  // namespace
}  // namespace harness
