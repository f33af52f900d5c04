#include "harness/implementations/devices/stream_gate.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace harness {
namespace {

constexpr std::chrono::milliseconds patience{2};

}  // namespace

struct StreamGate::State {
  std::mutex mutex;
  std::condition_variable opened;
  bool is_open = false;
};

StreamGate::StreamGate() : state_(std::make_shared<State>()) {}

void* StreamGate::pass() const { return new std::shared_ptr<State>(state_); }

void StreamGate::wait(void* pass) {
  const std::unique_ptr<std::shared_ptr<State>> state(static_cast<std::shared_ptr<State>*>(pass));
  std::unique_lock lock((*state)->mutex);
  (*state)->opened.wait_for(lock, patience, [&] { return (*state)->is_open; });
}

void StreamGate::open() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_open = true;
  }
  state_->opened.notify_all();
}

}  // namespace harness
