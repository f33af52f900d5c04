// The fast oracle's gathers beside memcpy, on one core, with shuffled page ids (docs/design.md
// section 11: at least 0.5 of memcpy, bytes read and written). Every output page is compared with
// the exact oracle before anything is timed. Gather and copy alternate and both are timed by the
// thread's CPU time, so that other load on the machine matters little; the copy moves as many bytes
// as the gather. Counters: GB/s of both and their ratio.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "oracle/pages/fast.hpp"

namespace {

using oracle::Dtype;
using oracle::PageLayout;
using oracle::PageReader;

constexpr std::int64_t num_pages = 4096;  // 36 MiB of codes and scales, more than the caches hold
constexpr std::int64_t distinct = 32;     // page id i holds page i % distinct

struct AlignedFree {
  void operator()(std::uint8_t* p) const { std::free(p); }
};
using Buffer = std::unique_ptr<std::uint8_t[], AlignedFree>;
Buffer allocate(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes + 4095) / 4096 * 4096;
  Buffer buffer(static_cast<std::uint8_t*>(std::aligned_alloc(4096, size)));
  std::memset(buffer.get(), 0xA7, size);
  return buffer;
}

struct Gather {
  Gather(const PageReader& reading, Dtype to)
      : reader(reading),
        layout(reading.pool->layout()),
        destination(to),
        page_out_bytes(oracle::decoded_page_bytes(layout, to)),
        pool(allocate(num_pages * layout.page_bytes())),
        out(allocate(num_pages * page_out_bytes)),
        ids(num_pages) {
    std::mt19937_64 random(11);
    const std::int64_t page_bytes = layout.page_bytes();
    for (std::int64_t i = 0; i < distinct * page_bytes; ++i) {
      pool[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(random());
    }
    for (std::int64_t page = distinct; page < num_pages; ++page) {
      std::memcpy(pool.get() + page * page_bytes, pool.get() + page % distinct * page_bytes,
                  static_cast<std::size_t>(page_bytes));
    }
    std::iota(ids.begin(), ids.end(), 0);
    std::shuffle(ids.begin(), ids.end(), random);
  }

  oracle::GatherArguments arguments() {
    const bool rows = reader.pool->rows_are_tokens;
    const auto words = [](const std::vector<std::int32_t>& values) {
      return std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4);
    };
    oracle::GatherArguments a;
    a.pages.storage = {pool.get(), static_cast<std::size_t>(num_pages * layout.page_bytes())};
    a.pages.shape = rows ? oracle::Extents{num_pages, 128, 72}
                         : oracle::Extents{num_pages, layout.page_bytes()};
    a.pages.strides = oracle::contiguous_strides(a.pages.shape);
    a.block_table = {words(ids), Dtype::i32, {1, num_pages}, {num_pages, 1}, 0};
    a.num_pages = {words(count), Dtype::i32, {1}, {1}, 0};
    a.page_offsets = {words(offset), Dtype::i32, {1}, {1}, 0};
    a.max_num_pages = num_pages;
    a.out.storage = {out.get(), static_cast<std::size_t>(num_pages * page_out_bytes)};
    a.out.dtype = destination;
    a.out.shape = {num_pages, 128, 128};
    a.out.strides = oracle::contiguous_strides(a.out.shape);
    return a;
  }

  // Index of the first output page that differs from the exact oracle, or -1.
  std::int64_t first_difference() const {
    std::vector<std::uint8_t> exact(static_cast<std::size_t>(distinct * page_out_bytes));
    const auto page_bytes = static_cast<std::size_t>(layout.page_bytes());
    for (std::int64_t page = 0; page < distinct; ++page) {
      oracle::decode_page(layout, {pool.get() + page * layout.page_bytes(), page_bytes},
                          destination,
                          std::span(exact).subspan(static_cast<std::size_t>(page * page_out_bytes),
                                                   static_cast<std::size_t>(page_out_bytes)),
                          oracle::profiles::ocp());
    }
    for (std::int64_t page = 0; page < num_pages; ++page) {
      const std::int64_t from = ids[static_cast<std::size_t>(page)] % distinct;
      if (std::memcmp(out.get() + page * page_out_bytes, exact.data() + from * page_out_bytes,
                      static_cast<std::size_t>(page_out_bytes)) != 0) {
        return page;
      }
    }
    return -1;
  }

  const PageReader& reader;
  PageLayout layout;
  Dtype destination;
  std::int64_t page_out_bytes;
  Buffer pool;
  Buffer out;
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> count{static_cast<std::int32_t>(num_pages)};
  std::vector<std::int32_t> offset{0};
};

// CPU seconds of this thread: one core's work, whatever else the machine does meanwhile.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const auto& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

void gather_beside_memcpy(benchmark::State& state, const PageReader& reader, Dtype destination) {
  Gather gather(reader, destination);
  const PageLayout& layout = gather.layout;
  const oracle::FastOracle fast(oracle::profiles::ocp());
  const oracle::GatherArguments arguments = gather.arguments();
  bool succeeded = true;
  const auto run = [&] {
    const auto result = fast.gather(reader, arguments);
    succeeded = succeeded && result.has_value();
  };

  run();
  if (const std::int64_t page = gather.first_difference(); !succeeded || page != -1) {
    state.SkipWithError(("wrong bytes in output page " + std::to_string(page)).c_str());
    return;
  }

  const std::int64_t moved = num_pages * (layout.page_bytes() + gather.page_out_bytes);
  const Buffer from = allocate(moved / 2);
  const Buffer to = allocate(moved / 2);
  double gather_seconds = 0;
  double copy_seconds = 0;
  for ([[maybe_unused]] auto iteration : state) {
    copy_seconds += seconds_of([&] {
      std::memcpy(to.get(), from.get(), static_cast<std::size_t>(moved / 2));
      benchmark::ClobberMemory();
    });
    const double seconds = seconds_of(run);
    gather_seconds += seconds;
    state.SetIterationTime(seconds);
  }
  const double bytes = static_cast<double>(moved) * static_cast<double>(state.iterations());
  state.counters["GB/s"] = bytes / gather_seconds / 1e9;
  state.counters["memcpy_GB/s"] = bytes / copy_seconds / 1e9;
  state.counters["of_memcpy"] = copy_seconds / gather_seconds;
  state.SetItemsProcessed(state.iterations() * num_pages);
}

}  // namespace

int main(int argc, char** argv) {
#ifndef NDEBUG
  std::fputs("fast_oracle_bench: built without NDEBUG; times of a debug build say nothing\n",
             stderr);
  return 2;
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto add = [](const PageReader& reader, Dtype destination) {
    benchmark::RegisterBenchmark(
        (std::string(reader.name) + "/" + std::string(name_of(destination))).c_str(),
        [&reader, destination](benchmark::State& state) {
          gather_beside_memcpy(state, reader, destination);
        })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add(oracle::readers::nvfp4_gather_index_k, Dtype::e4m3);
  for (const Dtype destination : oracle::all_destinations)
    add(oracle::readers::mxfp4_gather_pages, destination);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
