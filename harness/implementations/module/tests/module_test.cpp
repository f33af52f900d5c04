// A kernel of a module file under a fake driver whose GPU is the host: the example's own kernel,
// compiled for the host, is launched as its map says, and must conform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "harness/files/file.hpp"
#include "harness/implementations/devices/tests/fake_controls.hpp"
#include "harness/implementations/isolation/temporary_folder.hpp"
#include "harness/implementations/module/module_source.hpp"
#include "harness/implementations/module/tests/module_samples.hpp"
// Last: the words of CUDA as macros, and the example's kernel as a function of one thread.
#include "kernels/portability/host.hpp"
//
#include "examples/dut/module/gather_index_k.cu"

namespace harness {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr unsigned machine_cuda = 190;
constexpr unsigned machine_amdgpu = 224;

const testing::FakeControls* fake_in_use = nullptr;

// All threads of the launch that the fake driver noted last.
void run_example(const void* arguments, std::size_t bytes, unsigned, unsigned) {
  struct Parameters {
    const std::uint8_t* kv_cache;
    std::int64_t page_stride;
    const std::int32_t* block_table;
    std::int32_t block_table_stride;
    const std::int32_t* num_pages;
    const std::int32_t* page_offsets;
    std::int32_t max_num_pages;
    std::uint8_t* out;
  } p{};
  ASSERT_EQ(bytes, sizeof p);
  std::memcpy(&p, arguments, bytes);
  unsigned blocks = 0;
  unsigned threads = 0;
  ASSERT_EQ(
      std::sscanf(fake_in_use->launch().c_str(), "grid %u 1 1 threads %u 1 1", &blocks, &threads),
      2);
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
      gather_index_k(p.kv_cache, p.page_stride, p.block_table, p.block_table_stride, p.num_pages,
                     p.page_offsets, p.max_num_pages, p.out);
    }
  }
}

class ModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("FP4CTS_CUDA_LIBRARY", FAKE_CUDA_LIBRARY, 1);
    ::setenv("FP4CTS_HIP_LIBRARY", FAKE_HIP_LIBRARY, 1);
    fake_in_use = &cuda_;
    std::filesystem::copy(FP4CTS_MODULE_EXAMPLE, map());
    write("gather_index_k.cubin", testing::elf_of(machine_cuda));
  }
  void TearDown() override {
    ::unsetenv("FP4CTS_CUDA_LIBRARY");
    ::unsetenv("FP4CTS_HIP_LIBRARY");
  }

  std::filesystem::path map() const { return folder_.path() / "map.json"; }
  void write(const char* name, std::string_view bytes) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
  }
  Result<OpenedSource> open(const char* device) const {
    nlohmann::json spec{{"kind", "module"}, {"origin", map().string()}};
    if (*device != '\0') spec["device"] = device;
    return module_kind(all_operations())(spec);
  }
  std::string error_of(const char* device) const {
    const auto source = open(device);
    return source ? "no error" : source.error().message;
  }

  TemporaryFolder folder_ = std::move(TemporaryFolder::create().value());
  testing::FakeControls cuda_{FAKE_CUDA_LIBRARY};
  testing::FakeControls hip_{FAKE_HIP_LIBRARY};
};

TEST_F(ModuleTest, IntroducesItselfWithoutADevice) {
  const auto source = open("");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(
      nlohmann::json(source->facts),
      nlohmann::json::parse(R"({"name": "example", "profile": "ocp", "device_kinds": ["cuda"]})"));
  EXPECT_TRUE(source->implementations.empty());
}

TEST_F(ModuleTest, TheExampleConforms) {
  cuda_.kernel("gather_index_k", run_example);
  const auto source = open("cuda:0");
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_EQ(source->implementations.size(), 1u);
  Implementation& example = *source->implementations[0];
  EXPECT_EQ(example.info().key(), "nvfp4_gather_index_k example cuda:0");
  EXPECT_EQ(example.info().origin, map().string());
  EXPECT_EQ(example.info().module_sha256.size(), 64u);
  EXPECT_EQ(source->facts["name"], "cuda:0");
  const Operation& operation = *operation_named("nvfp4_gather_index_k");
  std::size_t launched = 0;
  for (const Case& each : operation.cases(Level::standard, 0)) {
    // The host is no GPU, and level standard holds gigabytes for one.
    if (each.device_bytes > 64U << 20) continue;
    const auto calls = operation.build(each.spec);
    ASSERT_TRUE(calls) << calls.error().message;
    for (const Problem& problem : *calls) {
      const auto execution = example.execute(problem);
      ASSERT_TRUE(execution) << each.id << ": " << execution.error().message;
      EXPECT_EQ(execution->outputs, *operation.expected(problem, oracle::profiles::ocp()))
          << each.id;
      EXPECT_TRUE(execution->trespasses.empty()) << each.id;
      ++launched;
    }
  }
  EXPECT_GT(launched, 20u);
}

TEST_F(ModuleTest, ATrespassIsSeen) {
  cuda_.kernel("gather_index_k", [](const void* arguments, std::size_t bytes, unsigned, unsigned) {
    std::uint8_t* out = nullptr;
    std::memcpy(&out, static_cast<const char*>(arguments) + bytes - sizeof out, sizeof out);
    out[-1] ^= 0xff;
  });
  const auto source = open("cuda:0");
  ASSERT_TRUE(source) << source.error().message;
  const Operation& operation = *operation_named("nvfp4_gather_index_k");
  const Problem problem = operation.build(operation.cases(Level::smoke, 0).front().spec)->front();
  ASSERT_EQ(problem.find("out")->origin_bytes, 0);
  const auto execution = source->implementations[0]->execute(problem);
  ASSERT_TRUE(execution) << execution.error().message;
  ASSERT_EQ(execution->trespasses.size(), 1u);
  EXPECT_EQ(execution->trespasses[0].tensor, "out");
  EXPECT_EQ(execution->trespasses[0].region, "guard before");
}

TEST_F(ModuleTest, ALostDeviceIsAnError) {
  cuda_.kernel("gather_index_k", [](const void*, std::size_t, unsigned, unsigned) {});
  const auto source = open("cuda:0");
  ASSERT_TRUE(source) << source.error().message;
  const Operation& operation = *operation_named("nvfp4_gather_index_k");
  const Problem problem = operation.build(operation.cases(Level::smoke, 0).front().spec)->front();
  constexpr int illegal_address = 700;
  cuda_.fail("cuEventSynchronize", illegal_address);
  const auto execution = source->implementations[0]->execute(problem);
  ASSERT_FALSE(execution);
  EXPECT_EQ(execution.error().code, ErrorCode::device_lost);
  EXPECT_THAT(
      execution.error().message,
      HasSubstr("cuda:0: cuEventSynchronize after gather_index_k, grid [1, 1, 1], 128 x 1 x "
                "1 threads: CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST_F(ModuleTest, WhatDoesNotLoadSaysWhy) {
  EXPECT_THAT(error_of("cuda:0"),
              MatchesRegex("cuda:0: cuModuleGetFunction of gather_index_k: CUDA_ERROR_NOT_FOUND "
                           ".harness/implementations/devices/cuda.cpp:[0-9]+."));
  constexpr int no_binary_for_gpu = 209;
  cuda_.fail("cuModuleLoadDataEx", no_binary_for_gpu);
  EXPECT_THAT(error_of("cuda:0"), HasSubstr("cuda:0: cuModuleLoadDataEx of gather_index_k.cubin: "
                                            "CUDA_ERROR_NO_BINARY_FOR_GPU"));
  EXPECT_EQ(error_of("cpu"), "a module file needs a GPU, and cpu is none");
}

TEST_F(ModuleTest, WhatIsWrongWithTheFilesIsSaidWithTheirNames) {
  std::filesystem::remove(folder_.path() / "gather_index_k.cubin");
  EXPECT_THAT(error_of(""), HasSubstr(map().string() + ": \"module\": "));
  EXPECT_FALSE(check_module(map()));
  write("gather_index_k.cubin", "not a module");
  EXPECT_THAT(error_of(""),
              HasSubstr("gather_index_k.cubin: expected a cubin, a fatbin, PTX text"));
  write("gather_index_k.cubin", testing::elf_of(machine_cuda));
  EXPECT_TRUE(check_module(map()));
  std::string text = *read_text_file(map(), 1 << 20);
  text.replace(text.find("nvfp4_gather_index_k"), 5, "nvfp8");
  write("map.json", text);
  EXPECT_THAT(error_of(""), HasSubstr("map.json: \"operation\": no operation is named "
                                      "'nvfp8_gather_index_k'; there are: qmul4, "));
}

TEST_F(ModuleTest, ACodeObjectRunsOnHip) {
  write("gather_index_k.cubin", testing::elf_of(machine_amdgpu));
  hip_.kernel("gather_index_k", [](const void*, std::size_t, unsigned, unsigned) {});
  EXPECT_EQ(open("")->facts["device_kinds"], nlohmann::json({"hip"}));
  const auto source = open("hip:0");
  ASSERT_TRUE(source) << source.error().message;
  const Operation& operation = *operation_named("nvfp4_gather_index_k");
  const Problem problem = operation.build(operation.cases(Level::smoke, 0).front().spec)->front();
  ASSERT_TRUE(source->implementations[0]->execute(problem));
  EXPECT_EQ(hip_.launch(), "grid 1 1 1 threads 128 1 1 shared 0 bytes 64");
}

}  // namespace
}  // namespace harness
