#include "vectors/src/lane_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/model/operation.hpp"
#include "vectors/src/element_table.hpp"
#include "vectors/src/golden.hpp"

namespace harness {
namespace {

std::uint64_t lanes_of(const Problem& problem) {
  return static_cast<std::uint64_t>(problem.tensors.back().shape.front());
}

std::string head(const LanePlan& plan) {
  return fmt::format("# fp4cts lanes 1 {} level {} seed {} count {}", plan.operation,
                     name_of(plan.level), plan.seed, plan.count);
}

std::string tail(const LanePlan& plan) { return fmt::format("# end {}", plan.count); }

// The inputs of one element: "2 78".
std::string inputs_text(const Problem& problem, std::uint64_t index) {
  std::string text;
  for (std::size_t i = 0; i + 1 < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    text += fmt::format("{}{:0{}x}", i == 0 ? "" : " ",
                        element_bits(tensor.storage, tensor.dtype, index),
                        2 * element_bytes(tensor.dtype));
  }
  return text;
}

// Hex digits, with or without 0x, of at most `width` bytes.
std::optional<std::uint32_t> result_of(std::string_view text, std::size_t width) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  const bool fits = width == 4 || value >> (8 * width) == 0;
  if (text.empty() || error != std::errc() || stop != end || !fits) return std::nullopt;
  return value;
}

void store(std::vector<std::uint8_t>& bytes, std::size_t width, std::uint64_t index,
           std::uint32_t value) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes[static_cast<std::size_t>(index) * width + i] =
        static_cast<std::uint8_t>(value >> (8 * i));
  }
}

std::string_view shortened(std::string_view text) { return text.substr(0, 80); }

}  // namespace

std::vector<std::string> lane_operations() {
  std::vector<std::string> names;
  for (const ElementTable& table : all_element_tables()) names.emplace_back(table.name);
  for (const Operation* operation : all_operations()) {
    if (is_rows(operation->signature())) names.emplace_back(operation->name());
  }
  return names;
}

Result<LanePlan> plan_lanes(std::string_view operation, Level level, std::uint64_t seed) {
  LanePlan plan{std::string(operation), level, seed, {}, 0};
  if (const ElementTable* table = element_table_of(fmt::format("element/{}", operation))) {
    plan.level = Level::smoke;
    plan.seed = 0;
    plan.problems.push_back(problem_of(*table));
  } else if (const Operation* known = operation_named(operation)) {
    if (!is_rows(known->signature())) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("{}: its tensors are no rows of one length, so it has no "
                                      "stream; `fp4cts vectors generate` makes files",
                                      operation));
    }
    for (const Case& test : known->cases(level, seed)) {
      auto calls = known->build(test.spec);
      if (!calls) return tl::make_unexpected(calls.error());
      for (Problem& call : *calls) plan.problems.push_back(std::move(call));
    }
  } else {
    std::string names;
    for (const std::string& each : lane_operations()) {
      names += names.empty() ? each : fmt::format(", {}", each);
    }
    return oracle::fail(ErrorCode::unknown_name,
                        fmt::format("operation: expected one of {}; got \"{}\"", names, operation));
  }
  for (const Problem& problem : plan.problems) plan.count += lanes_of(problem);
  return plan;
}

void write_lanes(const LanePlan& plan, const std::function<void(std::string_view)>& write) {
  write(head(plan) + "\n");
  for (const Problem& problem : plan.problems) {
    for (std::uint64_t i = 0; i < lanes_of(problem); ++i) write(inputs_text(problem, i) + "\n");
  }
  write(tail(plan) + "\n");
}

LaneReader::LaneReader(LanePlan plan, const oracle::Profile& profile, std::vector<Outputs> expected)
    : plan_(std::move(plan)), profile_(&profile), expected_(std::move(expected)) {
  for (const Problem& problem : plan_.problems) {
    actual_.push_back({problem.tensors.back().storage});
  }
}

Result<LaneReader> LaneReader::open(LanePlan plan, const oracle::Profile& profile) {
  std::vector<Outputs> expected;
  for (const Problem& problem : plan.problems) {
    auto outputs = golden_outputs(problem, profile);
    if (!outputs) return tl::make_unexpected(outputs.error());
    expected.push_back(std::move(*outputs));
  }
  return LaneReader(std::move(plan), profile, std::move(expected));
}

Result<void> LaneReader::line(std::string_view text) {
  ++lines_;
  const auto refuse = [&](std::string_view wanted) {
    return oracle::fail(ErrorCode::malformed, fmt::format("line {}: expected {}, got \"{}\"",
                                                          lines_, wanted, shortened(text)));
  };
  if (text.size() > max_lane_line_bytes) {
    return refuse(fmt::format("at most {} bytes", max_lane_line_bytes));
  }
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (!headed_) {
    if (text != head(plan_)) return refuse(fmt::format("\"{}\"", head(plan_)));
    headed_ = true;
    return {};
  }
  if (ended_) return refuse("nothing after the tail");
  if (verified_ == plan_.count) {
    if (text != tail(plan_)) return refuse(fmt::format("\"{}\"", tail(plan_)));
    ended_ = true;
    return {};
  }
  return element(text);
}

Result<void> LaneReader::element(std::string_view text) {
  while (index_ == lanes_of(plan_.problems[problem_])) {
    ++problem_;
    index_ = 0;
  }
  const Problem& problem = plan_.problems[problem_];
  const std::size_t width = element_bytes(problem.tensors.back().dtype);
  const std::string inputs = inputs_text(problem, index_);
  const auto blank = text.find_last_of(' ');
  const std::optional<std::uint32_t> result =
      blank == std::string_view::npos || text.substr(0, blank) != inputs
          ? std::nullopt
          : result_of(text.substr(blank + 1), width);
  if (!result) {
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("line {}: expected \"{}\" and a result of {} hex digits, got "
                                    "\"{}\"",
                                    lines_, inputs, 2 * width, shortened(text)));
  }
  store(actual_[problem_].front(), width, index_, *result);
  ++index_;
  ++verified_;
  return {};
}

LaneVerdict LaneReader::finish() const {
  LaneVerdict verdict;
  verdict.planned = plan_.count;
  verdict.verified = verified_;
  if (!headed_) {
    verdict.incomplete = "the stream is empty";
  } else if (verified_ < plan_.count) {
    verdict.incomplete =
        fmt::format("the stream ends after {} of {} results", verified_, plan_.count);
  } else if (!ended_) {
    verdict.incomplete = fmt::format("the stream ends before \"{}\"", tail(plan_));
  }
  for (std::size_t i = 0; i < plan_.problems.size(); ++i) {
    Outputs actual = actual_[i];
    // What was not answered is missing, not wrong.
    const std::uint64_t answered = i < problem_    ? lanes_of(plan_.problems[i])
                                   : i == problem_ ? index_
                                                   : 0;
    const std::size_t bytes =
        static_cast<std::size_t>(answered) * element_bytes(plan_.problems[i].tensors.back().dtype);
    std::copy(expected_[i].front().begin() + static_cast<std::ptrdiff_t>(bytes),
              expected_[i].front().end(),
              actual.front().begin() + static_cast<std::ptrdiff_t>(bytes));
    if (actual == expected_[i]) continue;
    verdict.wrong.push_back(
        diagnose_outputs(std::span(&plan_.problems[i], 1), *profile_, expected_[i], actual));
    verdict.mismatches += verdict.wrong.back().mismatches;
  }
  return verdict;
}

}  // namespace harness
