#include "harness/run/prepared_ahead.hpp"

#include <system_error>
#include <utility>

namespace harness {

PreparedAhead::PreparedAhead(std::function<std::optional<Job>()> next, const Limits& limits)
    : next_(std::move(next)), limits_(limits) {}

bool PreparedAhead::has_begun(std::size_t at) const {
  return !begun_.empty() && begun_.front().at <= at && at <= begun_.back().at;
}

void PreparedAhead::begin_some() {
  while (begun_.size() < limits_.threads) {
    if (!waiting_) waiting_ = next_();
    if (!waiting_ || begun_bytes_ + waiting_->bytes > limits_.bytes) return;
    std::future<Result<PreparedCase>> prepared;
    try {
      prepared = std::async(std::launch::async, waiting_->prepare);
    } catch (const std::system_error&) {
      return;  // there are no more threads to be had
    }
    begun_bytes_ += waiting_->bytes;
    begun_.push_back({waiting_->at, waiting_->bytes, std::move(prepared)});
    waiting_.reset();
  }
}

std::optional<PreparedAhead::Job> PreparedAhead::job_at(std::size_t at) {
  while (!waiting_ || waiting_->at < at) {
    waiting_ = next_();
    if (!waiting_) return std::nullopt;
  }
  return std::exchange(waiting_, std::nullopt);
}

Result<PreparedCase> PreparedAhead::take(std::size_t at) {
  std::future<Result<PreparedCase>> prepared;
  while (!begun_.empty() && begun_.front().at <= at) {
    if (begun_.front().at == at) prepared = std::move(begun_.front().prepared);
    begun_bytes_ -= begun_.front().bytes;
    begun_.pop_front();
  }
  if (prepared.valid()) {
    begin_some();
    return prepared.get();
  }
  const std::optional<Job> job = job_at(at);
  if (!job) {
    return oracle::fail(ErrorCode::invalid_argument, "a case was taken that nobody is to prepare");
  }
  Result<PreparedCase> done = job->prepare();
  begin_some();
  return done;
}

}  // namespace harness
