#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/files/sha256.hpp"
#include "harness/model/operation.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "oracle/numbers/packed.hpp"
#include "oracle/pages/product.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Operation& gather() { return *operation_named("nvfp4_gather_index_k"); }
const Operation& qmul4() { return *operation_named("qmul4"); }
const oracle::Profile& ocp() { return oracle::profiles::ocp(); }

// A digest of everything in a problem.
std::string digest(const std::vector<Problem>& problems) {
  Sha256 sha;
  const auto add_number = [&](std::int64_t number) {
    std::array<std::uint8_t, 8> bytes{};
    std::memcpy(bytes.data(), &number, 8);
    sha.update(bytes);
  };
  for (const Problem& problem : problems) {
    for (const Tensor& tensor : problem.tensors) {
      for (const std::int64_t extent : tensor.shape) add_number(extent);
      for (const std::int64_t stride : tensor.strides) add_number(stride);
      add_number(tensor.origin_bytes);
      add_number(tensor.misalignment_bytes);
      sha.update(tensor.storage);
    }
    for (const auto& [name, value] : problem.scalars) add_number(value);
  }
  return sha.hex();
}

std::uint64_t stored_bytes(const std::vector<Problem>& problems) {
  std::uint64_t bytes = 0;
  for (const Problem& problem : problems) {
    for (const Tensor& tensor : problem.tensors) bytes += tensor.storage.size();
  }
  return bytes;
}

TEST(Operations, AreFoundByName) {
  EXPECT_EQ(operation_named("nothing"), nullptr);
  for (const Operation* operation : all_operations()) {
    EXPECT_EQ(operation_named(operation->name()), operation);
  }
}

TEST(Operations, EveryCaseBuildsALegalProblem) {
  for (const Operation* operation : all_operations()) {
    std::set<std::string> ids;
    for (const Case& each : operation->cases(Level::exhaustive, 1)) {
      EXPECT_TRUE(ids.insert(each.id).second) << each.id << " is there twice";
      EXPECT_FALSE(each.comment.empty()) << each.id;
      EXPECT_THAT(each.id, ::testing::StartsWith(std::string(operation->name()) + "/"));
      const auto bytes = operation->case_bytes(each.spec);
      ASSERT_TRUE(bytes) << each.id << ": " << bytes.error().message;
      if (each.device_bytes > 100'000'000) continue;
      const auto problems = operation->build(each.spec);
      ASSERT_TRUE(problems) << each.id << ": " << problems.error().message;
      EXPECT_EQ(stored_bytes(*problems), *bytes) << each.id;
      for (const Problem& problem : *problems) {
        const Status legal = operation->validate(problem);
        EXPECT_TRUE(legal) << each.id << ": " << legal.error().message;
      }
    }
    EXPECT_GT(ids.size(), 20U);
  }
}

// A small spec cannot ask for more than is stated, by any way to ask.
TEST(Operations, SpecsThatAskForTooMuchAreRefused) {
  const json contents{{"kind", "probe"}};
  const json one_call{{{"num_pages", {1}}}};
  const std::vector<json> calls(64, {{"num_pages", {1}}});
  const std::vector<std::int64_t> requests(64, 1 << 20);
  const std::vector<json> specs{
      {{"pool", {{"pages", 1 << 20}, {"stride_bytes", 1 << 24}, {"contents", contents}}},
       {"calls", one_call}},
      {{"pool", {{"pages", 1 << 20}, {"contents", contents}}}, {"calls", calls}},
      {{"pool", {{"pages", 1}, {"contents", contents}}},
       {"calls", {{{"num_pages", requests}}}},
       {"output", {{"gap_pages", 1 << 20}}}},
      {{"pool", {{"pages", 1}, {"contents", contents}}},
       {"table", {{"width", 1 << 20}, {"stride", 1 << 20}}},
       {"calls", {{{"num_pages", std::vector<int>(1 << 13, 0)}}}}}};
  for (const json& spec : specs) {
    const auto built = gather().build(spec);
    ASSERT_FALSE(built) << spec;
    EXPECT_THAT(built.error().message, HasSubstr("expected a case of at most 17179869184 bytes"));
    EXPECT_FALSE(gather().case_bytes(spec));
  }
}

TEST(Operations, LevelsHoldThoseBefore) {
  for (const Operation* operation : all_operations()) {
    std::size_t last = 0;
    for (const Level level : {Level::smoke, Level::standard, Level::full}) {
      const std::vector<Case> cases = operation->cases(level, 1);
      EXPECT_GT(cases.size(), last);
      last = cases.size();
      for (const Case& each : cases) EXPECT_LE(each.level, level) << each.id;
    }
  }
}

TEST(Operations, EveryRequiredBinIsHitAtStandardOrFull) {
  for (const Operation* operation : all_operations()) {
    Coverage coverage;
    const auto cover = [&](const Case& each) {
      const auto problems = operation->build(each.spec);
      ASSERT_TRUE(problems) << each.id;
      for (const Problem& problem : *problems) operation->cover(problem, coverage);
    };
    for (const Case& each : operation->cases(Level::standard, 1)) cover(each);
    for (const std::string& bin : operation->required_bins()) {
      if (level_of_bin(operation->name(), bin) == Level::full) continue;
      EXPECT_TRUE(coverage.hit(bin)) << operation->name() << ": " << bin;
    }
    for (const Case& each : operation->cases(Level::full, 1)) {
      const bool of_the_lattice =
          std::find(each.tags.begin(), each.tags.end(), "extents") != each.tags.end();
      if (each.level == Level::full && of_the_lattice) cover(each);
    }
    for (const LatticeAxis& axis : lattice_of(operation->name())) {
      for (const Boundary& boundary : axis.boundaries) {
        // Of gigabytes that are written: extent_mutants_test.cpp sees that it has its case.
        if (boundary.level != Level::full || !boundary.passed_by.empty()) continue;
        EXPECT_TRUE(coverage.hit(extent_bin(axis, boundary)))
            << operation->name() << ": " << extent_bin(axis, boundary);
      }
    }
  }
}

TEST(Operations, RandomExtentsAreEvenUpToTheLastOfLevelStandard) {
  for (const Operation* operation : all_operations()) {
    for (const LatticeAxis& axis : lattice_of(operation->name())) {
      std::int64_t last = 0;
      for (const Boundary& boundary : axis.boundaries) {
        if (boundary.level == Level::standard) last = boundary.past;
      }
      if (last == 0) continue;
      Random random(1);
      int small = 0;
      std::int64_t largest = 0;
      for (int i = 0; i < 2000; ++i) {
        const std::int64_t value = random_extent(axis, random);
        ASSERT_GE(value, 1);
        ASSERT_LE(value, last);
        largest = std::max(largest, value);
        if (value * value <= last) ++small;
      }
      EXPECT_GT(largest, last / 4 * 3) << axis.name;
      EXPECT_GT(small, 600) << axis.name;  // about half of them, as logarithms go
    }
  }
}

// What fuzzing and the laws of properties/ rest on: random cases are legal, and together they meet
// every edge but those that few of them reach.
TEST(Operations, RandomCasesReachEveryRequiredBin) {
  constexpr std::uint64_t cases = 1600;  // of pages, one in four is of more than one
  for (const Operation* operation : all_operations()) {
    Coverage coverage;
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
      const json spec = operation->random_spec(seed);
      const auto problems = operation->build(spec);
      ASSERT_TRUE(problems) << spec << ": " << problems.error().message;
      for (const Problem& problem : *problems) {
        const Status legal = operation->validate(problem);
        ASSERT_TRUE(legal) << spec << ": " << legal.error().message;
        operation->cover(problem, coverage);
      }
    }
    for (const std::string& bin : operation->required_bins()) {
      const bool rare =
          bin.starts_with("extent/") || bin.ends_with("after_8192") || bin == "pool/between_edges";
      if (rare) continue;
      EXPECT_TRUE(coverage.hit(bin)) << operation->name() << ": " << bin;
    }
  }
}

// Shrinking comes to an end, at one page, one token, one element, with nothing about it that a
// plain call has not.
TEST(Operations, SmallerSpecsLeadToTheSmallest) {
  for (const Operation* operation : all_operations()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      json spec = operation->random_spec(seed);
      std::size_t steps = 0;
      for (std::vector<json> smaller = operation->smaller_specs(spec); !smaller.empty();
           smaller = operation->smaller_specs(spec)) {
        ASSERT_LT(++steps, 200U) << spec;
        for (const json& each : smaller) {
          ASSERT_NE(each, spec);
          ASSERT_TRUE(operation->build(each))
              << each << ": " << operation->build(each).error().message;
        }
        spec = smaller.front();
      }
      const std::vector<Problem> calls = operation->build(spec).value();
      ASSERT_EQ(calls.size(), 1U) << spec;
      std::size_t bytes = 0;
      for (const Tensor& tensor : calls.front().tensors) bytes += tensor.storage.size();
      // One page, and two output pages of f32, of every plane.
      const std::size_t planes = calls.front().tensors.back().shape.size() == 5 ? 2 : 1;
      EXPECT_LE(bytes, planes * 141000U) << spec;
    }
  }
}

// The bytes of cases are part of the suite's contract: they may not depend on the machine, and a
// case that changes gets a new id.
TEST(Operations, BytesOfCasesArePinned) {
  const auto digest_of = [](const Operation& operation, const json& spec) {
    return digest(operation.build(spec).value());
  };
  const json exhaustive{{"pool", {{"pages", 2}, {"contents", {{"kind", "exhaustive"}}}}},
                        {"calls", {{{"num_pages", {2}}}}}};
  const json layout{
      {"pool",
       {{"pages", 3},
        {"first_id", 233015},
        {"stride_bytes", 9232},
        {"contents", {{"kind", "layout"}}}}},
      {"table", {{"width", 5}, {"stride", 7}}},
      {"calls", {{{"num_pages", {2, 1}}, {"ids", {{"pattern", "scattered"}, {"seed", 3}}}}}},
      {"output", {{"first_page", 131071}, {"fill", "7f"}}}};
  const json random{{"pool", {{"pages", 2}, {"contents", {{"kind", "random"}, {"seed", 4}}}}},
                    {"calls", {{{"num_pages", {2}}}}}};
  EXPECT_EQ(digest_of(gather(), exhaustive),
            "8e663828762d4bbc18236e0feaed0b3ea54f70f4d2787114f6baaefb2211a4a1");
  EXPECT_EQ(digest_of(gather(), layout),
            "8ba7cd99765d4101247a784fef4fe3b22240d37d2184af730a6393f9dc682d9d");
  EXPECT_EQ(digest_of(gather(), random),
            "bed72b2f151419cfccfa951b5a3eac16cbd4ce87b639bbd86bd6336b1f23bcec");
  EXPECT_EQ(digest_of(gather(), gather().random_spec(17)),
            "125ebd656ef1ee4c3a1c62ae3febfd0fae7f4b753757ca4e44655b8e61476f06");
  EXPECT_EQ(digest_of(qmul4(), {{"contents", {{"kind", "exhaustive"}}}, {"count", 4096}}),
            "dbcb5d83d2b3f6b4d449b3efc6f8314d98e5515dc3c2fd25d534fef22cbf7894");
}

TEST(Operations, Qmul4AgreesWithTheInstruction) {
  const Problem problem =
      qmul4().build({{"contents", {{"kind", "exhaustive"}}}, {"count", 4096}}).value().front();
  const Outputs outputs = qmul4().expected(problem, ocp()).value();
  for (std::size_t i = 0; i < 4096; ++i) {
    std::uint16_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t d = 0;
    std::memcpy(&a, problem.tensors[0].storage.data() + 2 * i, 2);
    std::memcpy(&b, problem.tensors[1].storage.data() + 4 * i, 4);
    std::memcpy(&d, outputs[0].data() + 4 * i, 4);
    EXPECT_EQ(d, oracle::qmul4(a, b, oracle::ocp_packed)) << i;
  }
}

TEST(Operations, GatherWritesItsPagesAndNothingElse) {
  const json spec{{"pool", {{"pages", 3}, {"contents", {{"kind", "layout"}}}}},
                  {"calls", {{{"num_pages", {1, 1}}, {"ids", {{"pattern", "reversed"}}}}}},
                  {"output", {{"gap_pages", 1}, {"fill", "5c"}}}};
  const Problem problem = gather().build(spec).value().front();
  const Outputs outputs = gather().expected(problem, ocp()).value();
  ASSERT_EQ(outputs[0].size(), 4U * 16384);
  const auto page_of = [&](std::size_t id) {
    return problem.tensors[0].storage.data() + id * 9216;
  };
  for (std::size_t page = 0; page < 4; ++page) {
    for (int token = 0; token < 128; ++token) {
      for (int element = 0; element < 128; ++element) {
        const std::size_t at = page * 16384 + static_cast<std::size_t>(token * 128 + element);
        if (page == 1 || page == 3) {
          ASSERT_EQ(outputs[0][at], 0x5c);
          continue;
        }
        const std::uint8_t* from = page_of(page == 0 ? 2 : 1);
        ASSERT_EQ(outputs[0][at],
                  oracle::decode_element(oracle::e4m3::spec,
                                         oracle::nvfp4_index_k.code(from, token, element),
                                         oracle::nvfp4_index_k.scale(from, token, element / 16),
                                         oracle::Dtype::e4m3, ocp()));
      }
    }
  }
}

}  // namespace
}  // namespace harness
