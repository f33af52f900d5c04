// The implementation under test lives in a child process, so that a crash, a hang or a lost device
// is a result and not the end of the run. The child is this same program, started anew by exec with
// the one argument `worker`; it is told what to open by a JSON spec, {"kind": "builtin", "device":
// "cuda:0"}, and stays for as long as it answers. The parent, which computes the expected bytes,
// never loads what it judges.
//
// What the child sends is checked, never trusted: frame, sizes, names and numbers. What it cannot
// be kept from is to write wrong bytes where right ones belong, and that is what is compared.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/result.hpp"

namespace harness {

// --- in the child

// What a spec opens: implementations, and whatever must live as long as they do.
struct OpenedSource {  // NOLINT(bugprone-exception-escape): of JSON, whose move is checked
  std::shared_ptr<void> keeps_alive;  // the device; destroyed after the implementations
  std::vector<std::unique_ptr<Implementation>> implementations;
  nlohmann::ordered_json facts;  // what the parent may want to know: of a device, its DeviceInfo
};

// One function for each "kind" of spec.
using SourceKinds =
    std::map<std::string, std::function<Result<OpenedSource>(const nlohmann::json& spec)>>;

// Answers the parent until it hangs up. Returns the exit status, 2 where it was not started by
// RemoteSource.
int serve_worker(const SourceKinds& kinds);

// --- in the parent

struct WorkerOptions {
  double call_timeout_seconds = 60;
  double open_timeout_seconds = 120;     // device start-up
  std::uint64_t memory_limit_bytes = 0;  // of the child's private memory; 0: none
  std::string executable = "/proc/self/exe";
  // Each worker has a folder for its files, which the spec names as "folder". It is removed when
  // the worker is gone, however it went.
  bool temporary_folder = false;
  // The SHA-256 of what the worker is to load, taken by this process before there is a worker, and
  // again when it is loaded; it is what results say of every implementation. Empty: the worker,
  // which loads nothing foreign, says it.
  std::function<Result<std::string>()> digest;
  // Something that changes whenever the files of that digest do (file_state), looked at around
  // every call: what is judged is what was digested. Empty: nothing can change.
  std::function<std::string()> state;
  // A wait ends with an error soon after this becomes true.
  const std::atomic<bool>* interrupted = nullptr;
};

class WorkerConnection;

// A child that has opened a spec. After an error of `execute` the child is gone and the next call
// starts a fresh one. Children are started by the calling thread and die when it ends.
class RemoteSource {
 public:
  // Error: what the child said, or how it ended; out_of_memory where the system gives no process,
  // and there was no child.
  static Result<std::shared_ptr<RemoteSource>> open(nlohmann::json spec, WorkerOptions options);
  ~RemoteSource();
  RemoteSource(const RemoteSource&) = delete;
  RemoteSource& operator=(const RemoteSource&) = delete;

  const std::vector<ImplementationInfo>& infos() const { return infos_; }
  const nlohmann::ordered_json& facts() const { return facts_; }

  // Error: device_error for the implementation's own; device_lost where it gave none, with what
  // became of it: "killed by SIGSEGV after 0.2 s", "no answer within 30 s". Either ends with what
  // was written last on stdout and stderr.
  Result<Execution> execute(std::size_t implementation, const Problem& problem);

 private:
  RemoteSource(nlohmann::json spec, WorkerOptions options);
  Status start();
  // The digest of what is under test, which is what it was when it was taken first.
  Result<std::string> take_digest();
  // That its files were not touched since.
  Status untouched();

  nlohmann::json spec_;
  WorkerOptions options_;
  std::unique_ptr<WorkerConnection> connection_;
  std::vector<ImplementationInfo> infos_;
  std::uint64_t edge_granularity_ = 0;
  std::string digest_;
  std::string state_;
  nlohmann::ordered_json facts_;
};

// One implementation of a source.
class RemoteImplementation final : public Implementation {
 public:
  RemoteImplementation(std::shared_ptr<RemoteSource> source, std::size_t index);
  Result<Execution> execute(const Problem& problem) override;
  const RemoteSource& source() const { return *source_; }

 private:
  std::shared_ptr<RemoteSource> source_;
  std::size_t index_;
};

}  // namespace harness
