// Golden vectors as text for a pipe, as Berkeley TestFloat has it:
//
//     fp4cts gen nvfp4_to_e4m3 | your-program | fp4cts ver nvfp4_to_e4m3
//
//     # fp4cts lanes 1 nvfp4_to_e4m3 level smoke seed 0 count 4096
//     2 78
//     ...
//     # end 4096
//
// A line holds the inputs of one element in hex, in the order of the operation's tensors. The
// program copies lines that begin with '#' and appends a blank and its result in hex to the others.
// The verifier makes the same plan again and demands every line of it in order: a stream that is
// cut, empty, reordered or too long does not pass.
//
// Streams exist for element tables (by their name alone) and for operations whose tensors are rows
// of one length: `qmul4`, `encode_e4m3`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/case.hpp"
#include "harness/model/diagnosis.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "oracle/profile.hpp"

namespace harness {

struct LanePlan {
  std::string operation;
  Level level = Level::smoke;  // of an operation; a table is one list
  std::uint64_t seed = 0;
  std::vector<Problem> problems;
  std::uint64_t count = 0;  // lines
};

// Error: unknown_name; invalid_argument for an operation without rows of one length.
Result<LanePlan> plan_lanes(std::string_view operation, Level level, std::uint64_t seed);
std::vector<std::string> lane_operations();

// Head, lines and tail, each with its line end.
void write_lanes(const LanePlan& plan, const std::function<void(std::string_view)>& write);

struct LaneVerdict {
  std::uint64_t planned = 0;
  std::uint64_t verified = 0;    // lines that held a result
  std::vector<Diagnosis> wrong;  // of each problem with wrong results
  std::uint64_t mismatches = 0;
  std::string incomplete;  // why lines are missing; empty where none is
};

// No line of a stream is longer.
inline constexpr std::size_t max_lane_line_bytes = 1024;

// Judges a stream line by line.
class LaneReader {
 public:
  // Error: as golden_outputs.
  static Result<LaneReader> open(LanePlan plan, const oracle::Profile& profile);

  // The next line, without its end. Error: malformed, with its number, expected and actual: neither
  // the head nor the planned inputs nor a result in hex. No line may follow an error.
  Result<void> line(std::string_view text);
  // After the last line.
  LaneVerdict finish() const;

 private:
  LaneReader(LanePlan plan, const oracle::Profile& profile, std::vector<Outputs> expected);
  Result<void> element(std::string_view text);

  LanePlan plan_;
  const oracle::Profile* profile_;
  std::vector<Outputs> expected_;
  std::vector<Outputs> actual_;
  std::uint64_t lines_ = 0;
  std::size_t problem_ = 0;
  std::uint64_t index_ = 0;  // of the next element in that problem
  std::uint64_t verified_ = 0;
  bool headed_ = false;
  bool ended_ = false;
};

}  // namespace harness
