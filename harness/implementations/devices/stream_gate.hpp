// Holds back what lies behind it on a stream until it is opened: a runtime's "launch a host
// function" with wait() and a pass() waits there.
#pragma once

#include <memory>

namespace harness {

class StreamGate {
 public:
  StreamGate();

  // What wait() is given, once for each pass. A pass that nobody waits with is lost memory.
  void* pass() const;
  // Returns when the gate is open, or after some milliseconds: code that waits for its own stream
  // before it returns would never see it open.
  static void wait(void* pass);
  void open();

 private:
  struct State;
  std::shared_ptr<State> state_;  // of a pass too, which may be waited with at any time
};

}  // namespace harness
