#include "harness/fakes/fake_implementation.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "harness/implementations/isolation/child_process.hpp"

namespace harness::fakes {
namespace {

using Behaviour = std::function<Result<Execution>(const Problem& problem, unsigned call)>;

Execution right(const Problem& problem) {
  Execution execution;
  execution.outputs = {problem.find("out")->storage};
  const std::vector<std::uint8_t>& in = problem.find("in")->storage;
  std::transform(in.begin(), in.end(), execution.outputs[0].begin(),
                 [](std::uint8_t byte) { return static_cast<std::uint8_t>(2 * byte); });
  execution.seconds = 1e-6;
  return execution;
}

Execution with_trespass(const Problem& problem, Trespass trespass) {
  Execution execution = right(problem);
  execution.trespasses = {std::move(trespass)};
  return execution;
}

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

void answer_with(std::string_view bytes) {
  if (::send(worker_socket, bytes.data(), bytes.size(), 0) < 0) std::abort();
}

const std::map<std::string, Behaviour>& behaviours() {
  static const std::map<std::string, Behaviour> all{
      {"right", [](const Problem& p, unsigned) { return right(p); }},
      {"writes_nothing",
       [](const Problem& p, unsigned) {
         return Execution{{p.find("out")->storage}, {}, 1e-6};
       }},
      // Leaves one byte out, and the fill of the first run happens to be what belongs there.
      {"returns_early",
       [](const Problem& p, unsigned) {
         Execution execution = right(p);
         const std::vector<std::uint8_t>& fill = p.find("out")->storage;
         const std::size_t last = p.find("in")->storage.size() - 1;
         execution.outputs[0][last] = fill[last];
         return execution;
       }},
      {"writes_too_much",
       [](const Problem& p, unsigned) {
         Execution execution = right(p);
         const std::size_t written = p.find("in")->storage.size();
         if (written < execution.outputs[0].size()) execution.outputs[0][written] = 0xa5;
         return execution;
       }},
      {"writes_outside",
       [](const Problem& p, unsigned) {
         const auto end = static_cast<std::int64_t>(p.find("out")->storage.size());
         return with_trespass(p, {"out", "guard after", end, 0, 0x00, 3});
       }},
      {"changes_input",
       [](const Problem& p, unsigned) {
         return with_trespass(p, {"in", "input", 2, 7, 14, 1});
       }},
      {"wrong_in_second_call",
       [](const Problem& p, unsigned) {
         Execution execution = right(p);
         if (p.scalars.at("call") == 1) execution.outputs[0][5] ^= 1;
         return execution;
       }},
      {"answers_differently",
       [](const Problem& p, unsigned call) {
         Execution execution = right(p);
         if (call % 2 == 1) execution.outputs[0][3] ^= 0x40;
         return execution;
       }},
      {"fails",
       [](const Problem&, unsigned) -> Result<Execution> {
         return oracle::fail(ErrorCode::invalid_argument, "FAKE_ERROR_ILLEGAL_ADDRESS");
       }},
      {"throws",
       [](const Problem&, unsigned) -> Result<Execution> {
         throw std::runtime_error("out of luck");
       }},
      {"wrong_size",
       [](const Problem& p, unsigned) {
         Execution execution = right(p);
         execution.outputs[0].pop_back();
         return execution;
       }},
      {"crashes_in_second_run",
       [](const Problem& p, unsigned call) {
         if (call == 1) std::raise(SIGSEGV);
         return right(p);
       }},
      {"crashes",
       [](const Problem&, unsigned) -> Result<Execution> {
         std::fputs("about to crash\n", stderr);
         std::raise(SIGSEGV);
         wait_for_ever();
       }},
      {"aborts", [](const Problem&, unsigned) -> Result<Execution> { std::abort(); }},
      {"exits", [](const Problem&, unsigned) -> Result<Execution> { std::_Exit(0); }},
      {"hangs", [](const Problem&, unsigned) -> Result<Execution> { wait_for_ever(); }},
      {"hangs_up",
       [](const Problem&, unsigned) -> Result<Execution> {
         ::close(worker_socket);
         wait_for_ever();
       }},
      // The worker dies; a process that it started keeps the connection open.
      {"leaves_a_process",
       [](const Problem&, unsigned) -> Result<Execution> {
         if (::fork() == 0) wait_for_ever();
         std::_Exit(7);
       }},
      {"garbage",
       [](const Problem&, unsigned) -> Result<Execution> {
         answer_with("Segmentation fault (core dumped) and so on");
         wait_for_ever();
       }},
      {"huge_answer",
       [](const Problem&, unsigned) -> Result<Execution> {
         answer_with(std::string_view("fp4cts w\x02\0\0\0\xff\xff\xff\xff", 16));
         wait_for_ever();
       }},
      {"not_json",
       [](const Problem&, unsigned) -> Result<Execution> {
         answer_with(std::string_view("fp4cts w\x02\0\0\0\x03\0\0\0{]}", 19));
         wait_for_ever();
       }},
      {"other_answer",
       [](const Problem&, unsigned) -> Result<Execution> {
         answer_with(std::string_view("fp4cts w\x02\0\0\0\x0a\0\0\0{\"id\":999}", 26));
         wait_for_ever();
       }},
      // Says that it is done without having done anything.
      {"pretends",
       [](const Problem& p, unsigned) {
         return Execution{{p.find("out")->storage}, {}, 1e-9};
       }},
      {"eats_memory",
       [](const Problem& p, unsigned) {
         std::vector<std::vector<std::uint8_t>> eaten;
         constexpr std::size_t bite = std::size_t{64} << 20;
         for (std::size_t i = 0; i < 64; ++i) eaten.emplace_back(bite, std::uint8_t{1});
         return right(p);
       }},
      {"chats",
       [](const Problem& p, unsigned) {
         for (int line = 0; line < 20000; ++line)
           std::puts("a line on stdout that nobody asked for");
         std::fflush(stdout);
         return right(p);
       }},
  };
  return all;
}

// Does to the call's memory what an execution says of it.
void trespass_on(const Problem& problem, const CallMemory& memory, const Trespass& trespass) {
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    if (problem.tensors[i].name != trespass.tensor) continue;
    const GuardedRegion& region = memory.layout.regions[i];
    const auto place =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(region.before) + trespass.byte);
    const auto bytes = memory.bytes.subspan(region.offset + place, trespass.count);
    std::fill(bytes.begin(), bytes.end(), trespass.actual);
  }
}

class FakeImplementation final : public GuardedImplementation {
 public:
  FakeImplementation(const std::string& behaviour, const std::string& device) {
    info_.operation = "doubling";
    info_.path = behaviour;
    info_.device = device;
    info_.origin = "built-in";
    info_.toolkit = "none";
    const auto found = behaviours().find(behaviour);
    if (found == behaviours().end()) {
      info_.unavailable = "needs a device that does not exist";
    } else {
      behaviour_ = found->second;
    }
  }
  std::uint64_t edge_granularity() const override { return 0; }
  Result<double> run(const Problem& problem, const CallMemory& memory) override {
    const Result<Execution> execution = behaviour_(problem, calls_++);
    if (!execution) return tl::make_unexpected(execution.error());
    if (Status status = write_outputs(problem, memory.layout, execution->outputs, memory.bytes);
        !status) {
      return tl::make_unexpected(status.error());
    }
    for (const Trespass& trespass : execution->trespasses) trespass_on(problem, memory, trespass);
    return execution->seconds;
  }

 private:
  Behaviour behaviour_;
  unsigned calls_ = 0;
};

Result<OpenedSource> open_fakes(const nlohmann::json& spec) {
  const std::string open = spec.value("open", "");
  if (open == "fails") return oracle::fail(ErrorCode::invalid_argument, "no such device");
  if (open == "crashes") std::raise(SIGBUS);
  if (open == "hangs") wait_for_ever();
  OpenedSource source;
  source.facts = {{"name", spec.value("device", "cpu")}};
  for (const nlohmann::json& behaviour : spec.at("behaviours")) {
    source.implementations.push_back(
        fake_implementation(behaviour.get<std::string>(), spec.value("device", "cpu")));
  }
  return source;
}

}  // namespace

std::vector<std::string> all_behaviours() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : behaviours()) names.push_back(name);
  return names;
}

std::unique_ptr<GuardedImplementation> fake_implementation(const std::string& behaviour,
                                                           const std::string& device) {
  return std::make_unique<FakeImplementation>(behaviour, device);
}

SourceKinds fake_kinds() { return {{"fake", open_fakes}}; }

}  // namespace harness::fakes
