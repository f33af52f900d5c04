// Cases prepared before their turn on other threads, so that the oracle works while devices do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <optional>

#include "harness/model/result.hpp"
#include "harness/run/judge.hpp"

namespace harness {

class PreparedAhead {
 public:
  struct Job {
    std::size_t at = 0;       // its place; larger than that of the job before
    std::uint64_t bytes = 0;  // that it takes, about
    std::function<Result<PreparedCase>()> prepare;
  };
  struct Limits {
    unsigned threads = 1;     // jobs that are begun at a time
    std::uint64_t bytes = 0;  // of what is begun and not taken, all together
  };

  // `next` gives the jobs one after the other, and nothing at the end.
  PreparedAhead(std::function<std::optional<Job>()> next, const Limits& limits);

  // Whether the job was begun: one that is too large is not before it is taken.
  bool has_begun(std::size_t at) const;
  // Waits for it, and begins some of those behind it. Places that are passed over are given up.
  // Precondition: `next` has or had the place.
  Result<PreparedCase> take(std::size_t at);

 private:
  struct Begun {
    std::size_t at = 0;
    std::uint64_t bytes = 0;
    std::future<Result<PreparedCase>> prepared;
  };

  void begin_some();
  std::optional<Job> job_at(std::size_t at);

  std::function<std::optional<Job>()> next_;
  Limits limits_;
  std::deque<Begun> begun_;
  std::uint64_t begun_bytes_ = 0;
  std::optional<Job> waiting_;  // the first that is not begun
};

}  // namespace harness
