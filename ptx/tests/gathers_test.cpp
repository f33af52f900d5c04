// Gathers that Triton and nvcc compiled, on pages with all codes, scales and places: every byte as
// the oracle has it.
#include <gmock/gmock.h>

#include <map>

#include "oracle/pages/product.hpp"
#include "oracle/profile.hpp"
#include "ptx/tests/running.hpp"

namespace ptx {
namespace {

constexpr std::size_t page_bytes = 9216;
constexpr std::size_t page_stride = page_bytes + 128;
constexpr std::size_t out_page = std::size_t{128} * 128;
constexpr std::size_t pages = 3;

// Two requests, of two pages and of one, and a column of the table that nobody may follow.
struct Call {
  std::vector<std::byte> cache = std::vector<std::byte>(pages * page_stride, std::byte{0xff});
  std::vector<std::int32_t> table = {2, 0, -1, -1, 1, 99, 99, -1};
  std::vector<std::int32_t> counts = {2, 1};
  std::vector<std::int32_t> offsets = {1, 0};
  std::vector<std::byte> out = std::vector<std::byte>(4 * out_page, std::byte{0xee});

  Call() {
    std::uint32_t state = 1;
    for (std::size_t page = 0; page < pages; ++page) {
      std::byte* bytes = cache.data() + (page * page_stride);
      for (std::size_t i = 0; i < 8192; ++i) {
        state = (state * 1664525) + 1013904223;
        bytes[i] = static_cast<std::byte>(state >> 24U);
      }
      // All 256 scales at every group, those that are NaN too.
      for (std::size_t i = 0; i < 1024; ++i)
        bytes[8192 + i] = static_cast<std::byte>((i / 8) + (128 * (page + i)));
    }
  }

  [[nodiscard]] std::vector<std::byte> expected() const {
    std::vector<std::byte> result(out.size(), std::byte{0xee});
    for (std::size_t request = 0; request < 2; ++request) {
      for (std::int32_t p = 0; p < counts[request]; ++p) {
        const auto id =
            static_cast<std::size_t>(table[(4 * request) + static_cast<std::size_t>(p)]);
        const std::byte* page = cache.data() + (id * page_stride);
        std::byte* to = result.data() + (static_cast<std::size_t>(offsets[request] + p) * out_page);
        for (std::size_t token = 0; token < 128; ++token) {
          for (std::size_t element = 0; element < 128; ++element) {
            const auto pair = static_cast<std::uint8_t>(page[(64 * token) + (element / 2)]);
            const auto code = static_cast<std::uint8_t>(element % 2 == 0 ? pair & 15U : pair >> 4U);
            const auto scale = static_cast<std::uint8_t>(page[8192 + (8 * token) + (element / 16)]);
            to[(128 * token) + element] = static_cast<std::byte>(oracle::decode_element(
                oracle::e4m3::spec, code, scale, oracle::Dtype::e4m3, oracle::profiles::ocp()));
          }
        }
      }
    }
    return result;
  }
};

struct Outcome {
  Report report;
  std::size_t wrong{};
  std::string first;
};

// `order` has a letter for each parameter: kv_cache, its stride, block_table, its stride (T),
// num_pages, page_offsets, out (O), and 0 for what is 0 or not used.
Outcome run_triton(const Module& module, const std::string& order) {
  Call call;
  const Entry& entry = module.entries()[0];
  const auto bytes_of = [](auto& data) { return std::as_writable_bytes(std::span{data}); };
  const std::vector<Range> memory = {
      {"kv_cache", address_of_range(0), call.cache, Access::input},
      {"block_table", address_of_range(1), bytes_of(call.table), Access::input},
      {"num_pages", address_of_range(2), bytes_of(call.counts), Access::input},
      {"page_offsets", address_of_range(3), bytes_of(call.offsets), Access::input},
      {"out", address_of_range(4), call.out, Access::output}};
  const std::map<char, std::uint64_t> words = {
      {'k', memory[0].address}, {'s', page_stride},       {'t', memory[1].address}, {'T', 4},
      {'n', memory[2].address}, {'p', memory[3].address}, {'O', memory[4].address}, {'0', 0}};
  std::vector<std::byte> parameters(entry.parameter_bytes);
  EXPECT_EQ(entry.parameters.size(), order.size());
  for (std::size_t i = 0; i < std::min(order.size(), entry.parameters.size()); ++i) {
    std::memcpy(parameters.data() + entry.parameters[i].offset, &words.at(order[i]),
                entry.parameters[i].bytes);
  }
  Launch launch;
  launch.entry = entry.name;
  launch.grid = {2, 3, 1};
  launch.block = entry.required_threads;
  launch.dynamic_shared_bytes = entry.takes_dynamic_shared ? 65536 : 0;
  launch.parameters = parameters;
  launch.memory = memory;
  const auto report = module.launch(launch);
  EXPECT_TRUE(report) << report.error().message;
  Outcome outcome;
  if (!report) return outcome;
  outcome.report = *report;
  const std::vector<std::byte> expected = call.expected();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == call.out[i]) continue;
    if (outcome.wrong++ == 0) {
      outcome.first = "byte " + std::to_string(i) + ": expected " +
                      std::to_string(static_cast<int>(expected[i])) + ", got " +
                      std::to_string(static_cast<int>(call.out[i]));
    }
  }
  return outcome;
}

const std::map<std::string, std::string> orders = {{"fp32.w4.sm_90", "k0stTnpO000"},
                                                   {"fp32_neg.w4.sm_90", "k0stTnpO000"},
                                                   {"qmul4.w4.sm_100", "kstTnpO00"},
                                                   {"reshape.w4.sm_90", "ktnpOsT00"}};

class Triton : public testing::TestWithParam<const char*> {};

TEST_P(Triton, GathersEveryByteWithoutAFinding) {
  const auto module = Module::load(
      text_of(FP4CTS_PTX_TEST_DATA "/triton/" + std::string{GetParam()} + ".ptx"), GetParam());
  ASSERT_TRUE(module) << module.error().message;
  for (const Lack& lack : module->entries()[0].lacks)
    ADD_FAILURE() << lack.line << ": " << lack.text << lack.reason;
  const Outcome outcome = run_triton(*module, orders.at(GetParam()));
  EXPECT_EQ(outcome.wrong, 0U) << outcome.first;
  for (const Finding& finding : outcome.report.findings)
    ADD_FAILURE() << finding.message << " x" << finding.count;
  EXPECT_TRUE(outcome.report.clean());
}

INSTANTIATE_TEST_SUITE_P(All, Triton,
                         testing::Values("fp32.w4.sm_90", "fp32_neg.w4.sm_90", "qmul4.w4.sm_100",
                                         "reshape.w4.sm_90"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

#ifdef FP4CTS_PTX_KERNELS
// The shipped kernels as nvcc's PTX for sm_100a.
class Shipped : public testing::TestWithParam<const char*> {};

TEST_P(Shipped, GathersEveryByteWithoutAFinding) {
  const std::string name = std::string{"nvfp4_gather_index_k_"} + GetParam();
  const auto module = Module::load(text_of(FP4CTS_PTX_KERNELS "/" + name + ".ptx"), name);
  ASSERT_TRUE(module) << module.error().message;
  const Entry* entry = module->find(name);
  ASSERT_NE(entry, nullptr);
  for (const Lack& lack : entry->lacks)
    ADD_FAILURE() << lack.line << ": " << lack.text << lack.reason;
  Call call;
  const auto bytes_of = [](auto& data) { return std::as_writable_bytes(std::span{data}); };
  const std::vector<Range> memory = {
      {"kv_cache", address_of_range(0), call.cache, Access::input},
      {"block_table", address_of_range(1), bytes_of(call.table), Access::input},
      {"num_pages", address_of_range(2), bytes_of(call.counts), Access::input},
      {"page_offsets", address_of_range(3), bytes_of(call.offsets), Access::input},
      {"out", address_of_range(4), call.out, Access::output}};
  // fp4cts_nvfp4_gather_index_k of include/fp4cts/abi.h: 2 requests of at most 3 pages.
  const std::uint64_t words[] = {13 * sizeof(std::uint64_t),
                                 memory[0].address,
                                 call.cache.size() / page_stride,
                                 page_stride,
                                 memory[1].address,
                                 2,
                                 4,
                                 4,
                                 memory[2].address,
                                 memory[3].address,
                                 3,
                                 memory[4].address,
                                 call.out.size() / 16384};
  Launch launch;
  launch.entry = name;
  launch.grid = {6, 1, 1};
  launch.block = {entry->most_threads[0], 1, 1};
  launch.parameters = std::as_bytes(std::span{words});
  launch.memory = memory;
  const auto report = module->launch(launch);
  ASSERT_TRUE(report) << report.error().message;
  for (const Finding& finding : report->findings)
    ADD_FAILURE() << finding.message << " x" << finding.count;
  EXPECT_TRUE(report->clean());
  EXPECT_EQ(call.out, call.expected());
}

INSTANTIATE_TEST_SUITE_P(All, Shipped, testing::Values("fp32", "fp16", "table", "qmul4"),
                         [](const auto& parameter) { return std::string{parameter.param}; });
#endif

// Breaks a text once and says what came of it.
Outcome broken(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = text_of(FP4CTS_PTX_TEST_DATA "/triton/" + name + ".ptx");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  const auto module = Module::load(text, name);
  EXPECT_TRUE(module) << module.error().message;
  return run_triton(*module, orders.at(name));
}

TEST(BrokenTriton, AMissingBarrierIsARace) {
  const Outcome outcome = broken("reshape.w4.sm_90", "bar.sync \t0;", "");
  EXPECT_FALSE(outcome.report.clean());
  EXPECT_THAT(outcome.report.findings,
              testing::Contains(testing::Field(&Finding::kind, FindingKind::shared_race)));
  EXPECT_THAT(outcome.report.findings.front().actors.front().source,
              testing::HasSubstr("triton_variants.py:"));
}

TEST(BrokenTriton, AnotherFormatOfTheScaleGivesOtherBytes) {
  const Outcome outcome = broken("qmul4.w4.sm_100", "mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4",
                                 "mul.rn.satfinite.e4m3x4.e2m1x4.e5m2x4");
  EXPECT_GT(outcome.wrong, 0U);
}

}  // namespace
}  // namespace ptx
