#include <algorithm>
#include <cmath>

#include "harness/files/strict_json.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/implementations/isolation/frame.hpp"
#include "harness/implementations/isolation/problem_message.hpp"
#include "harness/implementations/isolation/worker_answer.hpp"
#include "harness/results/records/results.hpp"

namespace harness::hostile {
namespace {

constexpr std::uint64_t memory_bytes = 4096;

SharedMemory some_memory() {
  SharedMemory memory = must(SharedMemory::create(), "shared memory");
  must(memory.grow_to(memory_bytes).map([] { return 0; }), "shared memory");
  return memory;
}

Problem answered_problem() {
  Problem problem;
  problem.operation = "some";
  Tensor tensor;
  tensor.name = "out";
  tensor.role = Role::output;
  tensor.shape = {16};
  tensor.strides = {1};
  tensor.storage.assign(16, 0);
  problem.tensors = {tensor};
  return problem;
}

// A problem that was received lies inside the shared memory, and is sent and received equal.
void receive(const nlohmann::json& json) {
  static SharedMemory memory = some_memory();
  const auto received = receive_problem(json, memory, true);
  if (!accepted(received, "")) return;
  for (const GuardedRegion& region : received->layout.regions) {
    law(region.offset + region.bytes() <= memory_bytes,
        "a tensor lies in the memory that there is, its guards too");
  }
  SharedMemory other = must(SharedMemory::create(), "shared memory");
  const auto layout = guarded_layout(received->problem, 0);
  if (!accepted(layout, "misalignment")) return;
  const auto sent =
      must(send_problem(received->problem, *layout, other), "a problem that was received");
  const ReceivedProblem again = must(
      receive_problem(nlohmann::json::parse(sent.dump()), other, true), "a problem that was sent");
  law(again.layout.regions == layout->regions, "a problem lies where it was laid");
  law(must(send_problem(again.problem, *layout, other), "a problem that was sent") == sent,
      "a problem is received as it was sent");
}

}  // namespace

// A frame holds a JSON text; the text is taken for a problem and for both kinds of answers. Bytes
// that are no frame are taken for the text.
void hostile_worker(Bytes bytes) {
  std::string_view text = text_of(bytes);
  FrameHeader header{};
  if (text.size() >= header.size()) {
    std::copy_n(text.begin(), header.size(), header.begin());
    const auto length = frame_text_bytes(header);
    if (accepted(length, "expected")) {
      law(*length <= max_frame_bytes, "a frame has a bounded length");
      text = text.substr(header.size(), *length);
    }
  }
  const auto json = parse_json(text, "answer");
  if (!accepted(json, "answer")) return;
  receive(*json);
  static const Problem problem = answered_problem();
  if (const auto execution = read_execution(*json, problem); accepted(execution, "")) {
    law(execution->seconds >= 0 && std::isfinite(execution->seconds),
        "a time is finite and not negative");
    for (const Trespass& trespass : execution->trespasses) {
      law(problem.find(trespass.tensor) != nullptr, "a trespass is on a tensor of the problem");
    }
  }
  if (const auto opened = read_opened(*json); accepted(opened, "")) {
    law(opened->edge_granularity % 256 == 0, "memory ends at multiples of 256");
    for (const ImplementationInfo& info : opened->infos) {
      must(implementation_info_from_json(nlohmann::json::parse(to_json(info).dump()), "info"),
           "an implementation that was read");
    }
  }
}

}  // namespace harness::hostile
