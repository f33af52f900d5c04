// fp4cts bench: the rate of each gather, in the box and of the user, beside a device copy of as
// many bytes in the same run.
#include "harness/cli/bench_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/bench_own_kernels.hpp"
#include "harness/cli/duts.hpp"
#include "harness/cli/numbers.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/implementations/binding.hpp"
#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/results/verdict/plan.hpp"

namespace harness::cli {
namespace {

struct BenchOptions {
  std::string device = "cpu";
  std::string operation = "*";
  std::string path = "*";
  std::int64_t pages = 0;  // 0: the device's default
  int rounds = 20;
  Selection under_test;  // its plug-ins, programs and modules
  bool json = false;
};

constexpr std::int64_t requests = 16;
constexpr int warm_rounds = 3;

// Buffers that are given back.
class Buffers {
 public:
  explicit Buffers(Device& device) : device_(device) {}
  ~Buffers() {
    for (const DeviceAddress address : addresses_) (void)device_.release(address);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  Result<DeviceAddress> make(std::uint64_t bytes) {
    Result<DeviceAddress> address = device_.allocate(std::max<std::uint64_t>(bytes, 1));
    if (address) addresses_.push_back(*address);
    return address;
  }

 private:
  Device& device_;
  std::vector<DeviceAddress> addresses_;
};

struct Contender {
  const kernels::Entry* entry;
  std::string path;
  Launch launch;
  std::vector<double> seconds;
};

struct Row {
  std::string operation;
  std::string path;
  std::int64_t pages;
  double seconds;  // median
  double bytes;    // read + written
  double copy_seconds;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::json gather_spec(std::int64_t pages) {
  const std::vector<std::int64_t> per_request(requests, pages / requests);
  return {
      {"pool",
       {{"pages", pages},
        {"contents", {{"kind", "random"}, {"distribution", "everyday"}, {"seed", 1}}}}},
      {"calls", {{{"num_pages", per_request}, {"ids", {{"pattern", "scattered"}, {"seed", 1}}}}}},
      {"output", {{"spare_pages", 0}}}};
}

using Own = std::span<const std::unique_ptr<Implementation>>;

// Every path of one operation, over one set of buffers, and then those of the user in their
// processes.
class OperationBench {
 public:
  // `operation` is one of `operations`.
  OperationBench(Device& device, const Operation& operation,
                 std::span<const Operation* const> operations, const BenchOptions& options,
                 std::int64_t pages, Own own)
      : device_(device),
        operation_(operation),
        operations_(operations),
        options_(options),
        pages_(pages),
        own_(own),
        buffers_(device) {}

  // The worst exit code of what was not timed.
  int exit_code() const { return exit_code_; }

  Result<std::vector<Row>> run() {
    if (Status status = place(); !status) return tl::make_unexpected(status.error());
    if (Status status = choose(); !status) return tl::make_unexpected(status.error());
    for (Contender& contender : contenders_) {
      if (Status status = check(contender); !status) return tl::make_unexpected(status.error());
    }
    return time();
  }

 private:
  Status place() {
    Result<std::vector<Problem>> problems = operation_.build(gather_spec(pages_));
    if (!problems) return tl::make_unexpected(problems.error());
    problem_ = std::move(problems->front());
    for (const Tensor& tensor : problem_.tensors) {
      const Result<DeviceAddress> address = buffers_.make(tensor.storage.size());
      if (!address) return tl::make_unexpected(address.error());
      if (Status status = device_.write(*address, tensor.storage); !status) return status;
      addresses_.push_back(*address);
      origins_.push_back(*address + static_cast<std::uint64_t>(tensor.origin_bytes));
    }
    return {};
  }

  Status choose() {
    for (const kernels::Entry& entry : kernels::shipped_entries()) {
      if (operation_of(entry.name, operations_) != &operation_) continue;
      std::string path(entry.name.substr(operation_.name().size() + 1));
      if (!glob_matches(options_.path, path)) continue;
      if (const std::string why = device_.unavailable(entry); !why.empty()) {
        fmt::print(stderr, "bench: {} {} is not run: {}\n", operation_.name(), path, why);
        continue;
      }
      if (entry.instruction_in_software && device_.image_of(entry) == nullptr) {
        fmt::print(stderr, "bench: {} {} is not timed: its instruction is software here\n",
                   operation_.name(), path);
        continue;
      }
      Result<Launch> launch =
          bind_launch(operation_.signature(), problem_, origins_, entry.threads_per_block);
      if (!launch) return tl::make_unexpected(launch.error());
      contenders_.push_back({&entry, std::move(path), std::move(*launch), {}});
    }
    return {};
  }

  // Nothing is timed whose bytes are wrong.
  Status check(const Contender& contender) {
    if (expected_.empty()) {
      Result<Outputs> expected = operation_.expected(problem_, oracle::profiles::ocp());
      if (!expected) return tl::make_unexpected(expected.error());
      expected_ = std::move(*expected);
    }
    const std::size_t out = problem_.tensors.size() - 1;
    std::vector<std::uint8_t> bytes(problem_.tensors[out].storage.size(), 0xa5);
    if (Status status = device_.write(addresses_[out], bytes); !status) return status;
    if (const auto seconds = launch(contender); !seconds) {
      return tl::make_unexpected(seconds.error());
    }
    if (Status status = device_.read(bytes, addresses_[out]); !status) return status;
    const auto& right = expected_.front();
    const auto at = std::mismatch(bytes.begin(), bytes.end(), right.begin(), right.end());
    if (at.first == bytes.end() && at.second == right.end()) return {};
    return oracle::fail(
        ErrorCode::device_error,
        fmt::format("{} is not timed: output byte {}: expected {:#04x}, got {:#04x}",
                    contender.entry->name, at.first - bytes.begin(), *at.second, *at.first));
  }

  Result<double> launch(const Contender& contender) {
    return device_.launch(*contender.entry, contender.launch.arguments, contender.launch.blocks);
  }

  // Copy and paths in turn, so that what disturbs one disturbs all.
  Result<std::vector<Row>> time() {
    const std::uint64_t moved = operation_.bytes_moved(problem_);
    const Result<DeviceAddress> from = buffers_.make(moved / 2);
    const Result<DeviceAddress> to = buffers_.make(moved / 2);
    if (!from) return tl::make_unexpected(from.error());
    if (!to) return tl::make_unexpected(to.error());
    std::vector<double> copies;
    for (int round = -warm_rounds; round < options_.rounds; ++round) {
      const Result<double> copy = device_.copy(*to, *from, moved / 2);
      if (!copy) return tl::make_unexpected(copy.error());
      if (round >= 0) copies.push_back(*copy);
      for (Contender& contender : contenders_) {
        const Result<double> seconds = launch(contender);
        if (!seconds) return tl::make_unexpected(seconds.error());
        if (round >= 0) contender.seconds.push_back(*seconds);
      }
    }
    std::vector<Row> rows;
    const auto add = [&](const std::string& path, std::vector<double> seconds) {
      rows.push_back({std::string(operation_.name()), path, pages_, median(std::move(seconds)),
                      static_cast<double>(moved), median(copies)});
    };
    for (const Contender& contender : contenders_) add(contender.path, contender.seconds);
    time_own(add);
    return rows;
  }

  // Each in a process of its own, which has all memory and all cores to itself.
  void time_own(const std::function<void(const std::string&, std::vector<double>)>& add) {
    for (const std::unique_ptr<Implementation>& own : own_) {
      if (own->info().operation != operation_.name()) continue;
      Case from;
      from.id = fmt::format("{}/bench", operation_.name());
      from.operation = operation_.name();
      from.spec = gather_spec(pages_);
      OwnTimes times = time_own_kernel(operation_, from, *own, options_.rounds);
      if (!times.seconds.empty()) {
        add(own->info().path, std::move(times.seconds));
        continue;
      }
      fmt::print(stderr, "bench: {} {} is not timed: {}\n", operation_.name(), own->info().path,
                 times.reason);
      const int code = times.verdict == Verdict::mismatch  ? exit_mismatch
                       : times.verdict == Verdict::not_run ? exit_incomplete
                                                           : exit_error;
      exit_code_ = exit_code_ == exit_mismatch ? exit_mismatch : code;
    }
  }

  Device& device_;
  const Operation& operation_;
  std::span<const Operation* const> operations_;
  const BenchOptions& options_;
  std::int64_t pages_;
  Own own_;
  int exit_code_ = exit_conforms;
  Buffers buffers_;
  Problem problem_;
  std::vector<DeviceAddress> addresses_;
  std::vector<std::uint64_t> origins_;
  std::vector<Contender> contenders_;
  Outputs expected_;
};

void print_rows(const std::vector<Row>& rows, const BenchOptions& options) {
  const double giga = 1e9;
  if (options.json) {
    for (const Row& row : rows) {
      const nlohmann::ordered_json json{
          {"operation", row.operation},      {"path", row.path},
          {"device", options.device},        {"pages", row.pages},
          {"seconds", row.seconds},          {"bytes_moved", row.bytes},
          {"copy_seconds", row.copy_seconds}};
      fmt::print("{}\n", json.dump());
    }
    return;
  }
  TextTable table({{"operation"},
                   {"path"},
                   {"pages", Align::right},
                   {"ms", Align::right},
                   {"GB/s", Align::right},
                   {"copy GB/s", Align::right},
                   {"of copy", Align::right}});
  for (const Row& row : rows) {
    table.add({row.operation, row.path, std::to_string(row.pages),
               fmt::format("{:.4f}", row.seconds * 1e3),
               fmt::format("{:.1f}", row.bytes / row.seconds / giga),
               fmt::format("{:.1f}", row.bytes / row.copy_seconds / giga),
               fmt::format("{:.4f}", row.copy_seconds / row.seconds)});
  }
  fmt::print("{}", table.text());
}

// `origins` but for those that have this operation.
std::set<std::string> without(std::set<std::string> origins, Own own, std::string_view operation) {
  for (const std::unique_ptr<Implementation>& each : own) {
    if (each->info().operation == operation) origins.erase(each->info().origin);
  }
  return origins;
}

int run_bench(const Suite& suite, const BenchOptions& options) {
#ifndef NDEBUG
  return fail_with(exit_usage, "bench: this is a debug build; its times would mean nothing");
#endif
  const Result<std::unique_ptr<Device>> device = open_device(options.device);
  if (device && (*device)->machinery() != Machinery::native) {
    return fail_with(exit_usage,
                     fmt::format("bench: {} is software, whose time says nothing about a kernel",
                                 options.device));
  }
  if (!device) {
    const bool unknown = device.error().code == ErrorCode::unknown_name;
    return fail_with(unknown ? exit_usage : exit_error, device.error().message);
  }
  (*device)->add_images(kernels::shipped_images());
  const std::int64_t standard_pages = options.device == "cpu" ? 2048 : 131072;
  const std::int64_t pages = options.pages == 0 ? standard_pages : options.pages;
  if (pages % requests != 0) {
    return fail_with(exit_usage,
                     fmt::format("--pages: expected a multiple of {}, got {}", requests, pages));
  }
  if (const Status status = check_under_test(options.under_test); !status) {
    return fail_with(exit_usage, "bench: " + status.error().message);
  }
  const auto own = open_own_kernels(options.under_test, options.device);
  if (!own) {
    const bool usage = own.error().code == ErrorCode::invalid_argument;
    return fail_with(usage ? exit_usage : exit_error, "bench: " + own.error().message);
  }
  std::vector<Row> rows;
  int exit_code = exit_conforms;
  std::set<std::string> without_gather;  // of what is under test
  for (const UnderTest& each : all_under_test(options.under_test))
    without_gather.insert(each.origin);
  for (const Operation* operation : suite.operations) {
    if (operation->signature().find("block_table") == nullptr) continue;  // no gather
    if (!glob_matches(options.operation, std::string(operation->name()))) continue;
    fmt::print(stderr, "bench: {}, {} pages in shuffled order, {} rounds\n", operation->name(),
               pages, options.rounds);
    OperationBench bench(**device, *operation, suite.operations, options, pages, *own);
    without_gather = without(std::move(without_gather), *own, operation->name());
    const auto measured = bench.run();
    if (!measured) return fail_with(exit_error, measured.error().message);
    rows.insert(rows.end(), measured->begin(), measured->end());
    if (exit_code != exit_mismatch && bench.exit_code() != exit_conforms) {
      exit_code = bench.exit_code();
    }
  }
  for (const std::string& origin : without_gather) {
    fmt::print(stderr, "bench: {} has no gather that was asked for\n", origin);
    if (exit_code == exit_conforms) exit_code = exit_incomplete;
  }
  if (rows.empty()) return fail_with(exit_incomplete, "bench: nothing was timed");
  print_rows(rows, options);
  return exit_code;
}

}  // namespace

void add_bench_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command =
      app.add_subcommand("bench", "time the gathers beside a device copy, bytes checked first");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("--device", options->device, "cpu, cuda:N or hip:N")->capture_default_str();
  command->add_option("--op", options->operation, "only these gathers; a glob")
      ->capture_default_str();
  command->add_option("--path", options->path, "only these paths; a glob")->capture_default_str();
  command
      ->add_option("--pages", options->pages,
                   "gathered pages, a multiple of 16; 2048 on cpu, 131072 elsewhere")
      ->check(whole_number(1, INT32_MAX));
  command->add_option("--rounds", options->rounds, "timed rounds; medians are printed")
      ->capture_default_str()
      ->check(whole_number(1, INT32_MAX));
  for (CLI::Option* option : add_under_test_options(*command, suite.kinds, options->under_test)) {
    option->group("What to time beside the kernels in the box (repeatable)");
  }
  command->add_flag("--json", options->json, "one JSON object a line for each row");
  command->footer(
      "GB/s counts bytes read and written, of the gathers and of the copy alike. What is yours is "
      "judged "
      "first; without right bytes it has no speed, and the exit code says so: 1 mismatch, 3 error, "
      "4 not "
      "timed.");
  command->callback([&action, &suite, options] {
    action = [&suite, options] { return run_bench(suite, *options); };
  });
}

}  // namespace harness::cli
