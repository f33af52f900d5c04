#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/implementations/isolation/problem_message.hpp"
#include "harness/implementations/isolation/worker_answer.hpp"
#include "harness/implementations/isolation/worker_connection.hpp"
#include "harness/results/records/results.hpp"

namespace harness {
namespace {

bool same(const ImplementationInfo& a, const ImplementationInfo& b) {
  return to_json(a) == to_json(b);
}

}  // namespace

RemoteSource::RemoteSource(nlohmann::json spec, WorkerOptions options)
    : spec_(std::move(spec)), options_(std::move(options)) {}

RemoteSource::~RemoteSource() = default;

Result<std::shared_ptr<RemoteSource>> RemoteSource::open(nlohmann::json spec,
                                                         WorkerOptions options) {
  std::shared_ptr<RemoteSource> source(new RemoteSource(std::move(spec), std::move(options)));
  if (Status status = source->start(); !status) return tl::make_unexpected(status.error());
  return source;
}

Status RemoteSource::start() {
  Result<std::unique_ptr<WorkerConnection>> connection = WorkerConnection::start(options_);
  if (!connection) return tl::make_unexpected(connection.error());
  nlohmann::json spec = spec_;
  if (options_.temporary_folder) spec["folder"] = (*connection)->folder().string();
  const Result<nlohmann::json> answer =
      (*connection)->ask({{"request", "open"}, {"spec", spec}}, options_.open_timeout_seconds);
  if (!answer) return tl::make_unexpected(answer.error());
  Result<OpenedAnswer> opened = read_opened(*answer);
  if (!opened) {
    return oracle::fail(ErrorCode::malformed, "corrupt answer: " + opened.error().message);
  }
  const bool first = connection_ == nullptr && infos_.empty();
  if (!first &&
      !std::equal(infos_.begin(), infos_.end(), opened->infos.begin(), opened->infos.end(), same)) {
    return oracle::fail(ErrorCode::malformed,
                        "a fresh worker offers other implementations than the first one did");
  }
  infos_ = std::move(opened->infos);
  facts_ = std::move(opened->facts);
  connection_ = std::move(*connection);
  return {};
}

Result<Execution> RemoteSource::execute(std::size_t implementation, const Problem& problem) {
  if (connection_ == nullptr) {
    if (Status status = start(); !status) {
      return oracle::fail(status.error().code,
                          "a fresh worker could not start: " + status.error().message);
    }
  }
  // After any error the child is given up: it may have lost its device, or speak out of turn.
  std::unique_ptr<WorkerConnection> connection = std::move(connection_);
  const Result<nlohmann::ordered_json> message = send_problem(problem, connection->memory());
  if (!message) return tl::make_unexpected(message.error());
  const Result<nlohmann::json> answer = connection->ask(
      {{"request", "execute"}, {"implementation", implementation}, {"problem", *message}},
      options_.call_timeout_seconds);
  if (!answer) return tl::make_unexpected(answer.error());
  Result<Execution> execution = read_execution(*answer, problem);
  if (!execution) {
    return oracle::fail(ErrorCode::malformed, "corrupt answer: " + execution.error().message);
  }
  execution->outputs = receive_outputs(problem, connection->memory());
  connection_ = std::move(connection);
  return execution;
}

RemoteImplementation::RemoteImplementation(std::shared_ptr<RemoteSource> source, std::size_t index)
    : source_(std::move(source)), index_(index) {
  info_ = source_->infos()[index_];
}

Result<Execution> RemoteImplementation::execute(const Problem& problem) {
  return source_->execute(index_, problem);
}

}  // namespace harness
