#include <fmt/format.h>
#include <unistd.h>

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

Status RemoteSource::untouched() {
  if (!options_.state || options_.state() == state_) return {};
  return oracle::fail(ErrorCode::invalid_argument,
                      "what is under test was changed: its file was written, renamed or replaced "
                      "after its SHA-256 was taken");
}

Result<std::string> RemoteSource::take_digest() {
  if (!options_.digest) return std::string();
  if (options_.state && digest_.empty()) state_ = options_.state();
  Result<std::string> digest = options_.digest();
  if (!digest) return digest;
  if (digest_.empty()) digest_ = *digest;
  if (*digest == digest_) {
    return untouched().map([&] { return *digest; });
  }
  return oracle::fail(
      ErrorCode::invalid_argument,
      fmt::format("what is under test was changed: its SHA-256 was {}, and is now {}", digest_,
                  *digest));
}

Status RemoteSource::start() {
  if (const Result<std::string> digest = take_digest(); !digest) {
    return tl::make_unexpected(digest.error());
  }
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
  // Where memory has its edges is known here of the host; a GPU's driver alone can say it.
  const bool on_host = spec_.value("kind", "") == "library" && spec_.value("device", "") == "cpu";
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t edges = opened->edge_granularity;  // 0: it runs on memory without
  if (on_host && edges != 0 && edges != page_bytes) {
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("corrupt answer: expected memory with edges every {} bytes, "
                                    "got {}",
                                    page_bytes, edges));
  }
  const Result<std::string> digest = take_digest();
  if (!digest) return tl::make_unexpected(digest.error());
  if (options_.digest) {
    for (ImplementationInfo& info : opened->infos) info.module_sha256 = *digest;
  }
  const bool first = connection_ == nullptr && infos_.empty();
  if (!first &&
      !std::equal(infos_.begin(), infos_.end(), opened->infos.begin(), opened->infos.end(), same)) {
    return oracle::fail(ErrorCode::malformed,
                        "a fresh worker offers other implementations than the first one did");
  }
  infos_ = std::move(opened->infos);
  edge_granularity_ = opened->edge_granularity;
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
  const Result<GuardedLayout> layout = guarded_layout(problem, edge_granularity_);
  if (!layout) return tl::make_unexpected(layout.error());
  const Result<nlohmann::ordered_json> message =
      send_problem(problem, *layout, connection->memory());
  if (!message) return tl::make_unexpected(message.error());
  if (Status status = untouched(); !status) return tl::make_unexpected(status.error());
  const Result<nlohmann::json> answer = connection->ask(
      {{"request", "execute"}, {"implementation", implementation}, {"problem", *message}},
      options_.call_timeout_seconds);
  if (!answer) return tl::make_unexpected(answer.error());
  if (Status status = untouched(); !status) return tl::make_unexpected(status.error());
  // Software that executes code step by step is what it was before, whatever the code did.
  if (const auto fault = answer->find("fault"); fault != answer->end() && fault->is_string()) {
    connection_ = std::move(connection);
    return oracle::fail(ErrorCode::device_error, fault->get<std::string>());
  }
  Result<Execution> execution = read_execution(*answer, problem);
  if (!execution) {
    return oracle::fail(ErrorCode::malformed, "corrupt answer: " + execution.error().message);
  }
  const std::span<const std::uint8_t> memory = connection->memory().bytes();
  const auto written = connection->memory().written();
  if (!written) return tl::make_unexpected(written.error());
  execution->outputs = outputs_in(problem, *layout, memory);
  for (Trespass& trespass : find_trespasses(problem, *layout, memory, *written)) {
    execution->trespasses.push_back(std::move(trespass));
  }
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
