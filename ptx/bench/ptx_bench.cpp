// Thread-instructions a second on one core: ptx_bench --benchmark_counters_tabular=true
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ptx/ptx.hpp"

namespace {

// A Triton gather of 16 requests with 4 pages each. `order` has a letter for each parameter:
// kv_cache, its stride, block_table, its stride (T), num_pages, page_offsets, out (O), and 0 for
// what is 0 or not used.
void gather(benchmark::State& state, const std::string& name, const std::string& order) {
  std::ifstream file(FP4CTS_PTX_TEST_DATA "/triton/" + name + ".ptx", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto module = ptx::Module::load(text, name);
  if (!module || !module->entries()[0].lacks.empty()) {
    state.SkipWithError("the module is not executed");
    return;
  }
  const ptx::Entry& entry = module->entries()[0];
  std::vector<std::byte> cache(std::size_t{64} * 9216, std::byte{0x35});
  std::vector<std::int32_t> table(64);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(63 - i);
  std::vector<std::int32_t> counts(16, 4);
  std::vector<std::int32_t> offsets(16);
  for (std::size_t i = 0; i < 16; ++i) offsets[i] = static_cast<std::int32_t>(4 * i);
  std::vector<std::byte> out(std::size_t{64} * 16384);
  const auto bytes_of = [](auto& data) { return std::as_writable_bytes(std::span{data}); };
  const std::vector<ptx::Range> memory = {
      {"kv_cache", ptx::address_of_range(0), cache, ptx::Access::input},
      {"block_table", ptx::address_of_range(1), bytes_of(table), ptx::Access::input},
      {"num_pages", ptx::address_of_range(2), bytes_of(counts), ptx::Access::input},
      {"page_offsets", ptx::address_of_range(3), bytes_of(offsets), ptx::Access::input},
      {"out", ptx::address_of_range(4), out, ptx::Access::output}};
  const std::map<char, std::uint64_t> words = {{'k', memory[0].address}, {'s', 9216},
                                               {'t', memory[1].address}, {'T', 4},
                                               {'n', memory[2].address}, {'p', memory[3].address},
                                               {'O', memory[4].address}, {'0', 0}};
  std::vector<std::byte> parameters(entry.parameter_bytes);
  if (entry.parameters.size() != order.size()) {
    state.SkipWithError("the entry has other parameters");
    return;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::memcpy(parameters.data() + entry.parameters[i].offset, &words.at(order[i]),
                entry.parameters[i].bytes);
  }
  ptx::Launch launch;
  launch.entry = entry.name;
  launch.grid = {16, 4, 1};
  launch.block = entry.required_threads;
  launch.dynamic_shared_bytes = entry.takes_dynamic_shared ? 65536 : 0;
  launch.parameters = parameters;
  launch.memory = memory;
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    const auto report = module->launch(launch);
    if (!report || !report->clean()) {
      state.SkipWithError("the launch has findings");
      return;
    }
    instructions += report->thread_instructions;
  }
  state.counters["thread_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["pages"] =
      benchmark::Counter(static_cast<double>(64 * state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(gather, triton_fp32, "fp32.w4.sm_90", "k0stTnpO000")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gather, triton_reshape, "reshape.w4.sm_90", "ktnpOsT00")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gather, triton_qmul4, "qmul4.w4.sm_100", "kstTnpO00")
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
