#include "harness/implementations/isolation/close_descriptors.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace harness {

// By number: glibc has the call since 2.34, Linux since 5.9.
void close_from(int first) {
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t i = static_cast<rlim_t>(first); i < files.rlim_cur; ++i) {
    ::close(static_cast<int>(i));
  }
}

}  // namespace harness
