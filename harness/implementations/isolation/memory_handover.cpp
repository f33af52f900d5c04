#include "harness/implementations/isolation/memory_handover.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <cstring>

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

}  // namespace

void hand_memory_over(int socket, int memory) {
  constexpr int patience_milliseconds = 30'000;  // a machine that is busy, or a slow disk
  pollfd wait{socket, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&wait, 1, patience_milliseconds);
  } while (ready < 0 && errno == EINTR);
  char word = 0;
  if (ready <= 0 || ::recv(socket, &word, 1, 0) != 1 || word != unreadable) return;
  Message message;
  cmsghdr* const descriptor = CMSG_FIRSTHDR(&message.header);
  descriptor->cmsg_level = SOL_SOCKET;
  descriptor->cmsg_type = SCM_RIGHTS;
  descriptor->cmsg_len = CMSG_LEN(sizeof memory);
  std::memcpy(CMSG_DATA(descriptor), &memory, sizeof memory);
  static_cast<void>(::sendmsg(socket, &message.header, MSG_NOSIGNAL) < 0);
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
