// Threads that work side by side for as long as a run lasts, one for each GPU: a worker process
// that a thread starts dies with that thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace harness {

class Crew {
 public:
  struct Job {
    std::string name;  // of the thread that does it: a device
    std::function<void()> work;
  };

  Crew();
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Does all jobs at the same time, and returns when all are done. A job that is alone is done by
  // the calling thread, and so is one for which the system gives no thread. The names are distinct.
  // What a job throws is thrown here once all are done: that of the first that threw, in this order
  // of the caller's own jobs and then the others.
  void work(std::span<const Job> jobs);

 private:
  class Member;
  Member* member(const std::string& name);  // null: there is no thread to be had

  std::map<std::string, std::unique_ptr<Member>> members_;
};

}  // namespace harness
