#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/run/judge.hpp"

namespace harness {
namespace {

using Range = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::uint8_t inverted(std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); }

void invert(std::span<std::uint8_t> bytes) {
  std::transform(bytes.begin(), bytes.end(), bytes.begin(), inverted);
}

void invert_outputs(Problem& problem) {
  for (Tensor& tensor : problem.tensors) {
    if (tensor.role == Role::output) invert(tensor.storage);
  }
}

// The ranges in which the output keeps `fill`, seen from what is expected under it and under its
// inverse. Error: a byte that is neither written the same both times nor left alone both times.
Result<std::vector<Range>> untouched_ranges(const Tensor& output,
                                            std::span<const std::uint8_t> expected,
                                            std::span<const std::uint8_t> expected_inverted) {
  const std::span<const std::uint8_t> fill = output.storage;
  if (expected.size() != fill.size() || expected_inverted.size() != fill.size()) {
    return oracle::fail(
        ErrorCode::wrong_shape,
        fmt::format("oracle: output {}: expected {} bytes, got {} and {}", output.name, fill.size(),
                    expected.size(), expected_inverted.size()));
  }
  std::vector<Range> ranges;
  constexpr std::uint64_t stretch = 4096;  // compared at once
  for (std::uint64_t begin = 0; begin < fill.size(); begin += stretch) {
    const std::uint64_t end = std::min<std::uint64_t>(begin + stretch, fill.size());
    if (std::memcmp(&expected[begin], &expected_inverted[begin], end - begin) == 0) continue;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (expected[i] == expected_inverted[i]) continue;
      if (expected[i] != fill[i] || expected_inverted[i] != inverted(fill[i])) {
        return oracle::fail(
            ErrorCode::invalid_argument,
            fmt::format("oracle: output {} byte {}: expected {:#04x} and {:#04x} under the fills "
                        "{:#04x} and {:#04x}; a byte is either written or left alone",
                        output.name, i, expected[i], expected_inverted[i], fill[i],
                        inverted(fill[i])));
      }
      if (!ranges.empty() && ranges.back().second == i) {
        ++ranges.back().second;
      } else {
        ranges.emplace_back(i, i + 1);
      }
    }
  }
  return ranges;
}

Status same_buffers(const Problem& first, const Problem& other) {
  const bool same = std::equal(first.tensors.begin(), first.tensors.end(), other.tensors.begin(),
                               other.tensors.end(), [](const Tensor& a, const Tensor& b) {
                                 return a.name == b.name && a.role == b.role &&
                                        a.dtype == b.dtype && a.storage.size() == b.storage.size();
                               });
  if (same) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      "the calls of a case have tensors of different names, dtypes or sizes");
}

}  // namespace

Result<PreparedCase> PreparedCase::make(const Operation& operation, const Case& from,
                                        const oracle::Profile& profile) {
  return make_by(&Operation::expected, operation, from, profile);
}

Result<PreparedCase> PreparedCase::make_quickly(const Operation& operation, const Case& from,
                                                const oracle::Profile& profile) {
  return make_by(&Operation::expected_quickly, operation, from, profile);
}

Result<PreparedCase> PreparedCase::make_by(Expected expected_by, const Operation& operation,
                                           const Case& from, const oracle::Profile& profile) {
  const auto failed = [&](const Error& error) {
    return oracle::fail(error.code, fmt::format("{}: {}", from.id, error.message));
  };
  Result<std::vector<Problem>> calls = operation.build(from.spec);
  if (!calls) return failed(calls.error());
  PreparedCase prepared;
  for (Problem& problem : *calls) {
    if (Status status = same_buffers(calls->front(), problem); !status) {
      return failed(status.error());
    }
    Result<Outputs> expected = (operation.*expected_by)(problem, profile);
    if (!expected) return failed(expected.error());
    invert_outputs(problem);
    const Result<Outputs> expected_inverted = (operation.*expected_by)(problem, profile);
    invert_outputs(problem);
    if (!expected_inverted) return failed(expected_inverted.error());
    std::vector<std::vector<Range>> untouched;
    for (const Tensor& tensor : problem.tensors) {
      if (tensor.role != Role::output) continue;
      const std::size_t output = untouched.size();
      if (output >= expected->size() || output >= expected_inverted->size()) {
        return failed({ErrorCode::wrong_shape, "the oracle gives fewer outputs than there are"});
      }
      Result<std::vector<Range>> ranges =
          untouched_ranges(tensor, (*expected)[output], (*expected_inverted)[output]);
      if (!ranges) return failed(ranges.error());
      untouched.push_back(std::move(*ranges));
    }
    prepared.expected_.push_back(std::move(*expected));
    prepared.untouched_.push_back(std::move(untouched));
    prepared.bytes_moved_.push_back(operation.bytes_moved(problem));
    operation.cover(problem, prepared.coverage_);
  }
  prepared.calls_ = std::move(*calls);
  return prepared;
}

bool PreparedCase::untouched(std::size_t call, std::size_t output, std::uint64_t byte) const {
  const std::vector<Range>& ranges = untouched_[call][output];
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), byte,
                       [](std::uint64_t place, const Range& range) { return place < range.first; });
  return after != ranges.begin() && byte < std::prev(after)->second;
}

void PreparedCase::invert_fills() {
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    invert_outputs(calls_[call]);
    for (std::size_t output = 0; output < untouched_[call].size(); ++output) {
      const std::span<std::uint8_t> bytes = expected_[call][output];
      for (const auto& [first, last] : untouched_[call][output]) {
        invert(bytes.subspan(first, last - first));
      }
    }
  }
}

}  // namespace harness
