// Signatures: what they say of a problem, and that every member of a C struct follows from them.
#include "harness/model/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "harness/model/operation.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Problem first_problem(const Operation& operation) {
  return operation.build(operation.cases(Level::smoke, 1).front().spec).value().front();
}

TEST(Signatures, EveryMemberOfAStructHasAValue) {
  for (const Operation* operation : all_operations()) {
    const Signature& signature = operation->signature();
    const Problem problem = first_problem(*operation);
    for (const StructMember& member : signature.members) {
      const bool pointer = signature.find(member.name) != nullptr;
      EXPECT_TRUE(member.name == "struct_bytes" || pointer ||
                  named_integer(signature, problem, member.name))
          << signature.struct_name << ' ' << member.name;
      if (pointer) {
        EXPECT_EQ(member.bytes, sizeof(void*)) << member.name;
      }
    }
    // Operations that differ in where bytes lie may share a struct.
    EXPECT_TRUE(("fp4cts_" + std::string(operation->name())).starts_with(signature.struct_name))
        << operation->name();
  }
}

// A member that the signature forgot would be zero in every call.
TEST(Signatures, MembersCoverTheirStruct) {
  for (const Operation* operation : all_operations()) {
    const Signature& signature = operation->signature();
    std::vector<int> covered(signature.struct_bytes, 0);
    for (const StructMember& member : signature.members) {
      for (std::size_t i = 0; i < member.bytes; ++i) ++covered.at(member.offset + i);
    }
    for (std::size_t byte = 0; byte < covered.size(); ++byte) {
      // What pads an int32_t at the end.
      const bool padding = byte + 4 >= covered.size() && covered[byte] == 0;
      EXPECT_TRUE(covered[byte] == 1 || padding) << signature.struct_name << " byte " << byte;
    }
  }
}

TEST(Signatures, NamesAreUniqueAndAllOfThemReachTheStruct) {
  for (const Operation* operation : all_operations()) {
    const Signature& signature = operation->signature();
    std::set<std::string_view> names;
    for (const StructMember& member : signature.members) {
      EXPECT_TRUE(names.insert(member.name).second) << member.name << " is there twice";
    }
    for (const TensorSignature& tensor : signature.tensors) {
      EXPECT_TRUE(names.contains(tensor.name)) << operation->name() << ' ' << tensor.name;
    }
    for (const std::string_view name : integer_names(signature)) {
      EXPECT_TRUE(names.contains(name)) << operation->name() << ' ' << name;
    }
    for (const std::string_view name : signature.grid) EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Signatures, WhatAProblemBreaksIsNamed) {
  const Operation& gather = *operation_named("mxfp4_gather_pages");
  const auto refusal = [&](const std::function<void(Problem&)>& change) {
    Problem problem = first_problem(gather);
    change(problem);
    const Status status = gather.validate(problem);
    return status ? "legal" : status.error().message;
  };
  EXPECT_EQ(refusal([](Problem&) {}), "legal");
  EXPECT_EQ(refusal([](Problem& p) { p.tensors.erase(p.tensors.begin() + 1); }),
            "mxfp4_gather_pages: block_table: expected a tensor of this name, got none");
  EXPECT_EQ(refusal([](Problem& p) { p.find("out")->role = Role::input; }),
            "mxfp4_gather_pages: out: expected an output, got an input");
  EXPECT_EQ(refusal([](Problem& p) { p.find("out")->dtype = DType::i32; }),
            "mxfp4_gather_pages: out: dtype: expected F8_E4M3, F32, BF16 or F16, got I32");
  EXPECT_EQ(refusal([](Problem& p) {
              p.find("pages")->shape = {1, 1, 9216};
            }),
            "mxfp4_gather_pages: pages: shape: expected [num_blocks, num_heads, 8704] or "
            "[num_blocks, 8704], got [1, 1, 9216]");
  // The pool decides how many heads there are, and whether there is an axis of them.
  EXPECT_EQ(refusal([](Problem& p) { p.find("out")->shape[1] = 2; }),
            "mxfp4_gather_pages: out: shape: expected [out_pages, 1, 128, 128], got "
            "[2, 2, 128, 128]");
  EXPECT_EQ(refusal([](Problem& p) { p.find("page_offsets")->shape = {2}; }),
            "mxfp4_gather_pages: page_offsets: shape: expected [1], got [2]");
  EXPECT_EQ(refusal([](Problem& p) { p.find("pages")->strides[0] = 8696; }),
            "mxfp4_gather_pages: pages: page_stride_bytes: expected at least 8704, got 8696");
  EXPECT_EQ(refusal([](Problem& p) { p.find("num_pages")->strides = {2}; }),
            "mxfp4_gather_pages: num_pages: strides: expected [1], got [2]");
  EXPECT_EQ(refusal([](Problem& p) { p.scalars.clear(); }),
            "mxfp4_gather_pages: max_num_pages: expected a scalar of this name, got none");
  EXPECT_EQ(refusal([](Problem& p) { p.scalars["max_num_pages"] = -1; }),
            "mxfp4_gather_pages: max_num_pages: expected 0 to 2147483647, got -1");
  EXPECT_EQ(refusal([](Problem& p) { p.scalars["heads"] = 1; }),
            "mxfp4_gather_pages: scalars: expected 1 of them, got 2");
}

TEST(Signatures, AnAxisThatATensorLacksIsOneLong) {
  const Operation& decode = *operation_named("mxfp4_decode_pages");
  const json pool{{"pages", 2}, {"heads", 0}, {"contents", {{"kind", "layout"}}}};
  const Problem problem = decode.build({{"pool", pool}}).value().front();
  ASSERT_EQ(problem.find("pages")->shape.size(), 2U);
  const auto value = [&](std::string_view name) {
    return named_integer(decode.signature(), problem, name);
  };
  EXPECT_EQ(value("num_heads"), 1);
  EXPECT_EQ(value("head_stride_bytes"), 0);
  EXPECT_EQ(value("page_stride_bytes"), 8704);
  EXPECT_EQ(value("out_dtype"), 0);
  EXPECT_EQ(value("num_reqs"), std::nullopt);
}

// The lines of a stream do not say dtypes, so that a tensor of several has none.
TEST(Signatures, RowsOfOneLengthAndDtypeAreStreams) {
  std::set<std::string_view> streams;
  for (const Operation* operation : all_operations()) {
    if (is_rows(operation->signature())) streams.insert(operation->name());
  }
  EXPECT_EQ(streams, (std::set<std::string_view>{"encode_e4m3", "qmul4"}));
}

TEST(Signatures, TheTableOfThePageIsWhatTheySay) {
  std::ifstream file(FP4CTS_PLUG_INS_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  for (const Operation* operation : all_operations()) {
    for (const std::string& row : signature_rows(operation->signature())) {
      EXPECT_NE(page.str().find(row + "\n"), std::string::npos)
          << operation->name() << ": the page lacks " << row;
    }
  }
}

}  // namespace
}  // namespace harness
