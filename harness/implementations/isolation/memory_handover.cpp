#include "harness/implementations/isolation/memory_handover.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include "harness/model/elapsed.hpp"

namespace harness {
namespace {

constexpr char unreadable = 'u';

// A message of one byte with room for one descriptor.
struct Message {
  char byte = unreadable;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};

  Message() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
};

tl::unexpected<Error> handover_failure(std::string_view what) {
  return oracle::fail(ErrorCode::io_error, fmt::format("cannot give a worker its memory: {}: {}",
                                                       what, std::strerror(errno)));
}

}  // namespace

Status hand_memory_over(int socket, int memory, const std::atomic<bool>* interrupted) {
  constexpr double patience_seconds = 30;  // a machine that is busy, or a slow disk
  constexpr int poll_milliseconds = 100;   // between looks at `interrupted`
  const auto start = std::chrono::steady_clock::now();
  pollfd wait{socket, POLLIN, 0};
  for (int ready = 0; ready <= 0;) {
    ready = ::poll(&wait, 1, poll_milliseconds);
    if (interrupted != nullptr && *interrupted) {
      return oracle::fail(ErrorCode::device_lost, "interrupted");
    }
    if (ready < 0 && errno != EINTR) return handover_failure("poll");
    if (ready <= 0 && seconds_since(start) > patience_seconds) {
      return oracle::fail(
          ErrorCode::device_lost,
          fmt::format("the worker did not come up within {:g} s", patience_seconds));
    }
  }
  char word = 0;
  if (::recv(socket, &word, 1, 0) != 1 || word != unreadable) return {};  // it died
  Message message;
  cmsghdr* const descriptor = CMSG_FIRSTHDR(&message.header);
  descriptor->cmsg_level = SOL_SOCKET;
  descriptor->cmsg_type = SCM_RIGHTS;
  descriptor->cmsg_len = CMSG_LEN(sizeof memory);
  std::memcpy(CMSG_DATA(descriptor), &memory, sizeof memory);
  while (::sendmsg(socket, &message.header, MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    if (errno == EPIPE || errno == ECONNRESET) return {};  // it died
    return handover_failure("sendmsg");
  }
  return {};
}

int take_memory_over(int socket) {
  ::prctl(PR_SET_DUMPABLE, 0);
  if (::send(socket, &unreadable, 1, MSG_NOSIGNAL) != 1) return -1;
  Message message;
  ssize_t count = 0;
  do {
    count = ::recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count != 1) return -1;
  const cmsghdr* const descriptor = CMSG_FIRSTHDR(&message.header);
  if (descriptor == nullptr || descriptor->cmsg_type != SCM_RIGHTS) return -1;
  int memory = -1;
  std::memcpy(&memory, CMSG_DATA(descriptor), sizeof memory);
  return memory;
}

}  // namespace harness
