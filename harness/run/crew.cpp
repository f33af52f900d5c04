#include "harness/run/crew.hpp"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace harness {

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
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_ == nullptr; });
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || work_ != nullptr; });
      if (work_ == nullptr) return;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
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
  for (const Job* job : own) job->work();
  for (Member* other : begun) other->wait();
}

}  // namespace harness
