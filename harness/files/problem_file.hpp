// Problems as safetensors files: what is handed to a program outside, and what golden vectors are.
//
// Every tensor of the problem is in the file under its own name, with all of its storage: row-major
// in its own shape where that is the whole storage, else flat, `[elements]`, to be viewed with the
// shape, strides and origin that the metadata state. Outputs hold their fill. A golden file has
// `expected.NAME` beside each output NAME: its bytes after the call. Metadata (all values strings):
//
//   format     "fp4cts problem 1"
//   operation  its name
//   scalars    JSON object, by argument name
//   tensors    JSON array in the operation's order, each {"name", "role", "dtype", "shape",
//              "strides" (elements), "origin_bytes", "misalignment_bytes"}
//   sha256     of the whole file with these 64 digits set to 0; a file that lost a bit is refused
//
// and further facts of the writer's: case, spec, call, profile, suite version.
//
// A program answers with a file of its outputs: tensors of the same names, dtypes and shapes as the
// outputs in the problem file, no more and no fewer. `U8` stands for any dtype, flat or, for
// one-byte dtypes, in the same shape.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/files/safetensors.hpp"
#include "harness/model/problem.hpp"

namespace harness {

struct ProblemFile {
  Problem problem;
  std::optional<Outputs> expected;           // of a golden file
  std::map<std::string, std::string> facts;  // all other metadata
};

// Error: invalid_argument, for a problem whose names or sizes no file can state.
Result<TensorFile> to_tensor_file(const ProblemFile& file);
// Error: malformed, naming `source`, the tensor or metadata, expected and actual. Every address
// that a view of the problem can form fits in 63 bits; the operation's contract is not checked
// here.
Result<ProblemFile> problem_file_from(TensorFile file, std::string_view source);

Result<void> write_problem_file(const std::filesystem::path& path, const ProblemFile& file);
Result<ProblemFile> read_problem_file(const std::filesystem::path& path);

// The answer of an implementation. Error of outputs_from: a tensor is missing, extra, or of another
// dtype or size.
TensorFile to_tensor_file(const Problem& problem, const Outputs& outputs);
Result<Outputs> outputs_from(TensorFile file, const Problem& problem, std::string_view source);

}  // namespace harness
