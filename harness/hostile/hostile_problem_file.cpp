#include "harness/files/problem_file.hpp"
#include "harness/files/sha256.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/model/operation.hpp"
#include "vectors/src/golden.hpp"

namespace harness::hostile {
namespace {

// The digest that the contents have, so that a hostile file gets past the first check.
void restate_digest(TensorFile& file) {
  const auto stated = file.metadata.find("sha256");
  if (stated == file.metadata.end()) return;
  stated->second = std::string(64, '0');
  const auto header = safetensors_header(file);
  if (!header) return;
  Sha256 digest;
  digest.update(header->bytes);
  for (const std::size_t index : header->order) digest.update(file.tensors[index].bytes);
  stated->second = digest.hex();
}

std::uint64_t stored_bytes(const Problem& problem) {
  std::uint64_t bytes = 0;
  for (const Tensor& tensor : problem.tensors) bytes += tensor.storage.size();
  return bytes;
}

// An answer with wrong bytes is explained, whatever the problem. At both ends alone: a whole page
// of them takes seconds.
void judge(const Problem& problem, const Outputs& expected) {
  Outputs wrong = expected;
  for (auto& output : wrong) {
    if (output.empty()) continue;
    output.front() = static_cast<std::uint8_t>(~output.front());
    output.back() = static_cast<std::uint8_t>(~output.back());
  }
  if (wrong == expected) return;
  const Diagnosis diagnosis =
      diagnose_outputs(std::span(&problem, 1), oracle::profiles::ocp(), expected, wrong);
  law(diagnosis.mismatches > 0, "wrong bytes are counted");
}

}  // namespace

// A problem that was read is written and read back equal, and a legal one has an exact answer that
// takes no more memory than it has.
void hostile_problem_file(Bytes bytes) {
  auto tensors = parse_safetensors(bytes, source);
  if (!accepted(tensors)) return;
  accepted(problem_file_from(*tensors, source));
  restate_digest(*tensors);
  const auto file = problem_file_from(*tensors, source);
  if (!accepted(file)) return;
  const TensorFile written = must(to_tensor_file(*file), "a problem that was read");
  const ProblemFile again = must(problem_file_from(written, source), "a problem that was written");
  const TensorFile rewritten = must(to_tensor_file(again), "a problem that was written");
  law(rewritten.metadata == written.metadata && rewritten.tensors == written.tensors,
      "a problem reads back equal");

  const Problem& problem = file->problem;
  const Operation* operation = operation_named(problem.operation);
  const auto outputs = golden_outputs(problem, oracle::profiles::ocp());
  accepted(outputs, "");
  if (operation != nullptr) {
    law(operation->validate(problem).has_value() == outputs.has_value(),
        "what is legal has an answer");
    Coverage coverage;
    operation->cover(problem, coverage);
  }
  if (!outputs) return;
  std::uint64_t answer = 0;
  for (const auto& output : *outputs) answer += output.size();
  law(answer <= stored_bytes(problem), "an answer has the sizes of the outputs");
  judge(problem, *outputs);
}

}  // namespace harness::hostile
