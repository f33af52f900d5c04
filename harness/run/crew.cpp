#include "harness/run/crew.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace harness {
namespace {

std::exception_ptr thrown_by(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

class Crew::Member {
 public:
  Member() : thread_([this] { loop(); }) {}
  ~Member() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void begin(const std::function<void()>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
    }
    changed_.notify_all();
  }
  // What the work threw, or null.
  std::exception_ptr wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_ == nullptr; });
    return std::exchange(thrown_, nullptr);
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || work_ != nullptr; });
      if (work_ == nullptr) return;
      const std::function<void()>& work = *work_;
      lock.unlock();
      std::exception_ptr thrown = thrown_by(work);
      lock.lock();
      thrown_ = std::move(thrown);
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  std::exception_ptr thrown_;
  bool ends_ = false;
  std::thread thread_;  // begins last, when the rest is there
};

Crew::Crew() = default;
Crew::~Crew() = default;

Crew::Member* Crew::member(const std::string& name) {
  std::unique_ptr<Member>& found = members_[name];
  if (found == nullptr) {
    try {
      found = std::make_unique<Member>();
    } catch (const std::system_error&) {
      return nullptr;
    }
  }
  return found.get();
}

void Crew::work(std::span<const Job> jobs) {
  std::vector<Member*> begun;
  std::vector<const Job*> own;
  for (const Job& job : jobs) {
    Member* const other = jobs.size() == 1 ? nullptr : member(job.name);
    if (other == nullptr) {
      own.push_back(&job);
      continue;
    }
    other->begin(job.work);
    begun.push_back(other);
  }
  std::exception_ptr first;
  const auto note = [&](std::exception_ptr thrown) {
    if (first == nullptr) first = std::move(thrown);
  };
  for (const Job* job : own) note(thrown_by(job->work));
  for (Member* other : begun) note(other->wait());
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace harness
