// How a worker comes to the memory that it shares with the judge: not by inheritance, since for a
// moment after its exec any process of the same user could take what it has from /proc. It makes
// itself unreadable first, says so, and is then sent the descriptor.
#pragma once

#include <atomic>

#include "harness/model/result.hpp"

namespace harness {

// In the judge. Waits for the worker's word and sends `memory`. A worker that died, or that hangs
// up, is no error here: whoever asks it next finds that out, with how it ended. Error: device_lost,
// it said nothing for half a minute, or `interrupted` (may be null) became true; io_error.
Status hand_memory_over(int socket, int memory, const std::atomic<bool>* interrupted);

// In the worker, before it has loaded or started anything: no other process reads it from now on,
// nor those that it forks (PR_SET_DUMPABLE). The descriptor, closed on exec, or -1 where the judge
// has hung up.
int take_memory_over(int socket);

}  // namespace harness
