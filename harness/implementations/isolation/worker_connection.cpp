#include "harness/implementations/isolation/worker_connection.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/implementations/isolation/frame.hpp"
#include "harness/implementations/isolation/memory_handover.hpp"
#include "harness/model/elapsed.hpp"
#include "harness/model/foreign_text.hpp"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_output_bytes = 4096;
constexpr std::size_t shown_output_bytes = 300;
// How often a wait looks for an interruption, and for a child that died while something that it
// started keeps its socket open.
constexpr double poll_milliseconds = 100;

tl::unexpected<Error> system_failure(std::string_view what) {
  return oracle::fail(ErrorCode::out_of_memory,
                      fmt::format("cannot start a worker: {}: {}", what, std::strerror(errno)));
}

// The end of what a child wrote, in one line.
std::string shown(std::string_view output) {
  if (output.size() > shown_output_bytes) output.remove_prefix(output.size() - shown_output_bytes);
  std::string text;
  for (const char c : output) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (space && (text.empty() || text.back() == ' ')) continue;
    text += space ? ' ' : std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

Result<std::string> random_id() {
  std::array<std::uint64_t, 2> bits{};
  if (::getrandom(bits.data(), sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
    return oracle::fail(ErrorCode::io_error, fmt::format("getrandom: {}", std::strerror(errno)));
  }
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

// What is started. The kernel cannot start this program again where its processor is emulated:
// there FP4CTS_WORKER names what can.
std::string program_of(const WorkerOptions& options) {
  const char* const named = std::getenv("FP4CTS_WORKER");
  const bool replaced = options.executable == WorkerOptions{}.executable && named != nullptr;
  return replaced ? named : options.executable;
}

}  // namespace

Result<std::unique_ptr<WorkerConnection>> WorkerConnection::start(const WorkerOptions& options) {
  Result<SharedMemory> memory = SharedMemory::create();
  if (!memory) return tl::make_unexpected(memory.error());
  Result<TemporaryFolder> folder;
  if (options.temporary_folder) folder = TemporaryFolder::create();
  if (!folder) return tl::make_unexpected(folder.error());
  std::array<int, 2> socket{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, socket.data()) != 0) {
    return system_failure("socketpair");
  }
  std::array<int, 2> output{};
  if (::pipe2(output.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    ::close(socket[0]);
    ::close(socket[1]);
    return system_failure("pipe");
  }
  // The child's ends block: O_NONBLOCK is of the open file, and each end is one.
  ::fcntl(socket[1], F_SETFL, 0);
  ::fcntl(output[1], F_SETFL, O_WRONLY);
  Result<ChildProcess> child =
      ChildProcess::start({program_of(options), socket[1], output[1], options.memory_limit_bytes});
  ::close(socket[1]);
  ::close(output[1]);
  if (!child) {
    ::close(socket[0]);
    ::close(output[0]);
    return tl::make_unexpected(child.error());
  }
  std::unique_ptr<WorkerConnection> connection(new WorkerConnection(
      options, {socket[0], output[0]}, std::move(*memory), std::move(*folder), std::move(*child)));
  if (Status status = hand_memory_over(connection->ends_.socket, connection->memory_.descriptor(),
                                       options.interrupted);
      !status) {
    return tl::make_unexpected(status.error());
  }
  return connection;
}

WorkerConnection::WorkerConnection(const WorkerOptions& options, Ends ends, SharedMemory memory,
                                   TemporaryFolder folder, ChildProcess child)
    : options_(options),
      ends_(ends),
      memory_(std::move(memory)),
      folder_(std::move(folder)),
      child_(std::move(child)) {}

WorkerConnection::~WorkerConnection() {
  ::close(ends_.socket);
  ::close(ends_.output);
}

void WorkerConnection::drain_output() {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(ends_.output, buffer.data(), buffer.size());
    if (count <= 0) return;
    last_output_.append(buffer.data(), static_cast<std::size_t>(count));
    if (last_output_.size() > kept_output_bytes) {
      last_output_.erase(0, last_output_.size() - kept_output_bytes);
    }
  }
}

std::string WorkerConnection::with_last_output(std::string reason) {
  drain_output();
  if (const std::string last = shown(last_output_); !last.empty()) {
    reason += fmt::format("; its last output: {}", last);
  }
  return reason;
}

tl::unexpected<Error> WorkerConnection::no_answer(std::string reason) {
  return oracle::fail(ErrorCode::device_lost, with_last_output(std::move(reason)));
}

// Sends a frame and receives the text of one.
Result<std::string> WorkerConnection::exchange(std::string_view frame, double timeout_seconds) {
  const auto start = Clock::now();
  last_output_.clear();
  std::size_t sent = 0;
  FrameHeader header{};
  std::size_t header_received = 0;
  std::string text;
  std::size_t text_received = 0;
  const auto ended = [&](std::string_view how) {
    return no_answer(fmt::format("{} after {:.1f} s", how, seconds_since(start)));
  };
  for (;;) {
    const short interest = sent < frame.size() ? POLLIN | POLLOUT : POLLIN;
    std::array<pollfd, 2> wait{{{ends_.socket, interest, 0}, {ends_.output, POLLIN, 0}}};
    const double left = timeout_seconds - seconds_since(start);
    if (left <= 0) {
      return no_answer(fmt::format("no answer within {:g} s", timeout_seconds));
    }
    const int milliseconds = static_cast<int>(std::min(poll_milliseconds, left * 1000 + 1));
    const int ready = ::poll(wait.data(), wait.size(), milliseconds);
    if (options_.interrupted != nullptr && *options_.interrupted) return no_answer("interrupted");
    if (ready < 0 && errno != EINTR)
      return no_answer(fmt::format("poll: {}", std::strerror(errno)));
    if ((wait[1].revents & POLLIN) != 0) drain_output();
    if ((wait[1].revents & POLLHUP) != 0 && ready == 1) {
      // Nothing but a closed output: it would end every poll at once.
      ::poll(nullptr, 0, 1);
    }
    if ((wait[0].revents & POLLOUT) != 0 && sent < frame.size()) {
      const ssize_t count =
          ::send(ends_.socket, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
    if ((wait[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      const bool in_header = header_received < header.size();
      char* to = in_header ? header.data() + header_received : text.data() + text_received;
      const std::size_t room =
          in_header ? header.size() - header_received : text.size() - text_received;
      const ssize_t count = ::recv(ends_.socket, to, room, 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
        constexpr double time_to_die_seconds = 2;
        const auto how = child_.ended(time_to_die_seconds);
        return ended(how ? *how : "the connection was closed");
      }
      if (count > 0)
        (in_header ? header_received : text_received) += static_cast<std::size_t>(count);
      if (in_header && header_received == header.size()) {
        const Result<std::uint32_t> length = frame_text_bytes(header);
        if (!length) return no_answer("corrupt answer: " + length.error().message);
        text.resize(*length);
      }
      if (header_received == header.size() && text_received == text.size()) {
        if (sent < frame.size()) return no_answer("corrupt answer: it came before the request");
        return text;
      }
    } else if (const auto how = child_.ended(0)) {
      return ended(*how);
    }
  }
}

Result<nlohmann::json> WorkerConnection::ask(const nlohmann::ordered_json& request,
                                             double timeout_seconds) {
  // Nobody who has not read the request can answer it.
  const Result<std::string> id = random_id();
  if (!id) return tl::make_unexpected(id.error());
  nlohmann::ordered_json numbered{{"id", *id}};
  numbered.update(request);
  const Result<std::string> frame = to_frame(numbered);
  if (!frame) return tl::make_unexpected(frame.error());
  const Result<std::string> text = exchange(*frame, timeout_seconds);
  if (!text) return tl::make_unexpected(text.error());
  Result<nlohmann::json> answer = parse_json(*text, "answer");
  if (!answer) return no_answer("corrupt answer: " + answer.error().message);
  const auto said = answer->is_object() ? answer->find("id") : answer->end();
  if (!answer->is_object() || said == answer->end() || *said != *id) {
    return no_answer("corrupt answer: expected one to this request, got " + describe(*answer));
  }
  answer->erase(said);
  clean_texts(*answer);
  if (const auto error = answer->find("error"); error != answer->end() && error->is_string()) {
    return oracle::fail(ErrorCode::device_error, with_last_output(error->get<std::string>()));
  }
  return answer;
}

}  // namespace harness
