// Splits a range of 32-bit inputs over all cores, with a progress line on stderr every few seconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace oracle::testing_support {

// Calls work(first, last) for consecutive pieces [first, last) of [begin, end), each once, from as
// many threads as there are cores. `work` must be safe to call from several threads.
template <class Work>
void sweep(const std::string& name, std::uint64_t begin, std::uint64_t end, Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t piece = 1ULL << 22;
  std::atomic<std::uint64_t> next{begin};
  std::uint64_t done = 0;
  std::mutex mutex;
  const auto start = Clock::now();
  auto last_line = start;

  const auto run = [&] {
    while (true) {
      const std::uint64_t first = next.fetch_add(piece);
      if (first >= end) return;
      const std::uint64_t last = std::min(first + piece, end);
      work(first, last);
      const std::scoped_lock lock(mutex);
      done += last - first;
      const auto now = Clock::now();
      if (now - last_line >= std::chrono::seconds(5) || done == end - begin) {
        last_line = now;
        std::fprintf(stderr, "%s: %3.0f %% of %llu inputs, %.0f s\n", name.c_str(),
                     100.0 * static_cast<double>(done) / static_cast<double>(end - begin),
                     static_cast<unsigned long long>(end - begin),
                     std::chrono::duration<double>(now - start).count());
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(run);
  }
  for (std::thread& t : threads) t.join();
}

// Mismatches found by several threads: how many, and the first few in words.
class Mismatches {
 public:
  void add(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (++count_ <= 8) text_ += "\n  " + text;
  }
  std::uint64_t count() const { return count_; }
  const std::string& text() const { return text_; }

 private:
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::string text_;
};

}  // namespace oracle::testing_support
