// The parent's end of a worker: asks and waits, with a deadline, and says how it ended otherwise.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/implementations/isolation/child_process.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/implementations/isolation/shared_memory.hpp"
#include "harness/implementations/isolation/temporary_folder.hpp"
#include "harness/model/result.hpp"

namespace harness {

class WorkerConnection {
 public:
  static Result<std::unique_ptr<WorkerConnection>> start(const WorkerOptions& options);
  WorkerConnection(const WorkerConnection&) = delete;
  WorkerConnection& operator=(const WorkerConnection&) = delete;
  WorkerConnection(WorkerConnection&&) = delete;
  WorkerConnection& operator=(WorkerConnection&&) = delete;
  ~WorkerConnection();

  // The answer to a request. Error: device_error, the worker's own ({"error": ...}); device_lost,
  // there is none, and why.
  Result<nlohmann::json> ask(const nlohmann::ordered_json& request, double timeout_seconds);

  SharedMemory& memory() { return memory_; }
  // Of the worker; empty where options ask for none.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  struct Ends {
    int socket = -1;
    int output = -1;
  };
  WorkerConnection(const WorkerOptions& options, Ends ends, SharedMemory memory,
                   TemporaryFolder folder, ChildProcess child);
  Result<std::string> exchange(std::string_view frame, double timeout_seconds);
  void drain_output();
  // `reason` with what the child wrote last, which often says why.
  std::string with_last_output(std::string reason);
  tl::unexpected<Error> no_answer(std::string reason);

  WorkerOptions options_;
  Ends ends_;
  SharedMemory memory_;
  TemporaryFolder folder_;  // before the child, which is gone before it is removed
  ChildProcess child_;
  std::string last_output_;
};

}  // namespace harness
