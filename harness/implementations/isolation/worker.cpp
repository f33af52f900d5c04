// The child's side: opens what it is told to, runs what it is asked to, and answers.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/implementations/guards/guarded_implementation.hpp"
#include "harness/implementations/isolation/child_process.hpp"
#include "harness/implementations/isolation/frame.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/implementations/isolation/keeper.hpp"
#include "harness/implementations/isolation/memory_handover.hpp"
#include "harness/implementations/isolation/problem_message.hpp"
#include "harness/results/records/results.hpp"

namespace harness {
namespace {

bool receive(char* to, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t count = ::recv(worker_socket, to, bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

bool send_all(std::string_view frame) {
  while (!frame.empty()) {
    const ssize_t count = ::send(worker_socket, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    frame.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// The next request; none when the parent has hung up.
std::optional<Result<nlohmann::json>> receive_request() {
  FrameHeader header{};
  if (!receive(header.data(), header.size())) return std::nullopt;
  const Result<std::uint32_t> length = frame_text_bytes(header);
  if (!length) return tl::make_unexpected(length.error());
  std::string text(*length, '\0');
  if (!receive(text.data(), text.size())) return std::nullopt;
  return parse_json(text, "request");
}

class Worker {
 public:
  Worker(const SourceKinds& kinds, int memory)
      : kinds_(kinds), memory_(SharedMemory::attach(memory)) {}

  Result<nlohmann::ordered_json> answer(const nlohmann::json& request) {
    const std::string kind = request.value("request", "");
    if (kind == "open") return open(request.at("spec"));
    if (kind == "execute") return execute(request);
    return oracle::fail(ErrorCode::unknown_name,
                        fmt::format("request: expected open or execute, got \"{}\"", kind));
  }

 private:
  Result<nlohmann::ordered_json> open(const nlohmann::json& spec) {
    const std::string kind = spec.value("kind", "");
    const auto found = kinds_.find(kind);
    if (found == kinds_.end()) {
      return oracle::fail(ErrorCode::unknown_name,
                          fmt::format("no kind of implementation is named \"{}\"", kind));
    }
    Result<OpenedSource> source = found->second(spec);
    if (!source) return tl::make_unexpected(source.error());
    source_ = std::move(*source);
    nlohmann::ordered_json infos = nlohmann::ordered_json::array();
    for (const auto& implementation : source_.implementations) {
      infos.push_back(to_json(implementation->info()));
    }
    return nlohmann::ordered_json{{"facts", source_.facts},
                                  {"edge_granularity", edge_granularity()},
                                  {"implementations", std::move(infos)}};
  }

  // What is to be said of a call: outputs are left in `memory`.
  static Result<Execution> call(Implementation& implementation, const Problem& problem,
                                const CallMemory& memory) {
    if (auto* guarded = dynamic_cast<GuardedImplementation*>(&implementation)) {
      return guarded->run(problem, memory).map([](double seconds) {
        return Execution{{}, {}, seconds};
      });
    }
    Result<Execution> execution = implementation.execute(problem);
    if (!execution) return execution;
    if (Status status = write_outputs(problem, memory.layout, execution->outputs, memory.bytes);
        !status) {
      return tl::make_unexpected(status.error());
    }
    return execution;
  }

  // Of the memory on which calls are made: one source has one device.
  std::uint64_t edge_granularity() const {
    if (source_.implementations.empty()) return 0;
    const auto* guarded =
        dynamic_cast<const GuardedImplementation*>(source_.implementations.front().get());
    return guarded == nullptr ? 0 : guarded->edge_granularity();
  }

  Result<nlohmann::ordered_json> execute(const nlohmann::json& request) {
    const auto index = request.at("implementation").get<std::size_t>();
    if (index >= source_.implementations.size()) {
      return oracle::fail(ErrorCode::out_of_range,
                          fmt::format("implementation: expected less than {}, got {}",
                                      source_.implementations.size(), index));
    }
    Implementation& implementation = *source_.implementations[index];
    const bool whole = dynamic_cast<GuardedImplementation*>(&implementation) == nullptr;
    const Result<ReceivedProblem> received = receive_problem(request.at("problem"), memory_, whole);
    if (!received) return tl::make_unexpected(received.error());
    const CallMemory memory{received->layout, memory_.bytes(), memory_.descriptor()};
    const Result<Execution> execution = call(implementation, received->problem, memory);
    if (!execution && execution.error().code == ErrorCode::device_error &&
        implementation.info().execution == Machinery::simulated) {
      return nlohmann::ordered_json{{"fault", execution.error().message}};
    }
    if (!execution) return tl::make_unexpected(execution.error());
    nlohmann::ordered_json trespasses = nlohmann::ordered_json::array();
    for (const Trespass& trespass : execution->trespasses) trespasses.push_back(to_json(trespass));
    return nlohmann::ordered_json{{"seconds", execution->seconds},
                                  {"trespasses", std::move(trespasses)}};
  }

  const SourceKinds& kinds_;
  SharedMemory memory_;
  OpenedSource source_;
};

// The answer, or an error: what the code under test throws must not end the worker.
nlohmann::ordered_json guarded_answer(Worker& worker, const nlohmann::json& request) {
  std::string error;
  try {
    Result<nlohmann::ordered_json> answer = worker.answer(request);
    if (answer) return std::move(*answer);
    error = answer.error().message;
  } catch (const std::bad_alloc&) {
    error = "out of memory";
  } catch (const std::exception& exception) {
    error = fmt::format("threw an exception: {}", exception.what());
  } catch (...) {
    error = "threw an exception";
  }
  return {{"error", error}};
}

bool started_by_parent() {
  struct stat status {};
  return ::fstat(worker_socket, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

int serve_worker(const SourceKinds& kinds) {
  constexpr int bad_usage = 2;
  constexpr int broken_connection = 3;
  if (!started_by_parent()) {
    std::fputs("worker: started by fp4cts itself, for one implementation under test\n", stderr);
    return bad_usage;
  }
  if (const std::optional<int> status = keep_worker()) return *status;
  // Programs that an implementation starts get neither it nor the memory.
  ::fcntl(worker_socket, F_SETFD, FD_CLOEXEC);
  const int memory = take_memory_over(worker_socket);
  if (memory < 0) return broken_connection;
  ::signal(SIGPIPE, SIG_IGN);
  Worker worker(kinds, memory);
  while (const auto request = receive_request()) {
    if (!*request) return broken_connection;
    nlohmann::ordered_json answer{{"id", (**request).value("id", nlohmann::json())}};
    answer.update(guarded_answer(worker, **request));
    const Result<std::string> frame = to_frame(answer);
    if (!frame || !send_all(*frame)) return broken_connection;
  }
  return 0;
}

}  // namespace harness
