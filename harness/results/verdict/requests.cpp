#include "harness/results/verdict/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "harness/model/foreign_text.hpp"
#include "harness/results/verdict/plan.hpp"
#include "harness/results/verdict/verdict.hpp"

namespace harness {
namespace {

using Info = ImplementationInfo;

// A pattern or a name.
bool fits(const std::string& pattern, const std::string& text) {
  return pattern == text || glob_matches(pattern, text);
}

// Why, in the words of the rows that were not run; at most two of them.
std::string why(std::span<const NotRunRecord> not_run,
                const std::function<bool(const NotRunRecord&)>& about) {
  constexpr std::size_t listed = 2;
  std::string text;
  std::size_t count = 0;
  for (const NotRunRecord& record : not_run) {
    if (!about(record) || ++count > listed) continue;
    std::string row = record.operation;
    for (const std::string* more : {&record.path, &record.device}) {
      if (more->empty()) continue;
      if (!row.empty()) row += more == &record.device ? " on " : " ";
      row += *more;
    }
    text += fmt::format("{}{}: {}", text.empty() ? ": " : "; ", row, record.reason);
  }
  if (count > listed) text += fmt::format("; and {} more", count - listed);
  return text;
}

class Requests {
 public:
  Requests(const RunHeader& header, std::span<const NotRunRecord> not_run)
      : header_(header), not_run_(not_run) {}

  void names(Request::Kind kind, std::string_view word, const std::vector<std::string>& patterns,
             std::string Info::*planned, std::string NotRunRecord::*not_run) {
    for (const std::string& pattern : patterns) {
      const bool ran = std::any_of(header_.implementations.begin(), header_.implementations.end(),
                                   [&](const Info& info) { return fits(pattern, info.*planned); });
      if (ran) continue;
      add(kind, word, pattern,
          why(not_run_, [&](const NotRunRecord& row) { return fits(pattern, row.*not_run); }));
    }
  }

  void devices() {
    std::vector<std::string> named;
    bool all = header_.selection.devices.empty();
    for (const std::string& name : header_.selection.devices) {
      all = all || name == "all";
      if (name == "all") continue;
      // Each of those that are here; of a kind of which none is here, the kind.
      const std::size_t before = named.size();
      for (const DeviceInfo& device : header_.devices) {
        if (selects_device({name}, device.name)) named.push_back(device.name);
      }
      if (named.size() == before) named.push_back(name);
    }
    if (all) {
      for (const DeviceInfo& device : header_.devices) named.push_back(device.name);
    }
    std::set<std::string> seen;
    std::erase_if(named, [&](const std::string& name) { return !seen.insert(name).second; });
    names(Request::Kind::device, "device", named, &Info::device, &NotRunRecord::device);
    if (!all) return;
    for (const IdleGpu& gpu : header_.idle_gpus) {
      unmet_.push_back(
          {Request::Kind::device, gpu.kind,
           fmt::format("this machine has a GPU on which nothing ran, {}{} (--device cpu leaves it "
                       "out)",
                       gpu.what, why(not_run_, [&](const NotRunRecord& row) {
                         return row.device == gpu.kind;
                       }))});
    }
  }

  void under_test() {
    const Selection& selection = header_.selection;
    for (const auto* origins : {&selection.libraries, &selection.programs, &selection.modules}) {
      for (const std::string& given : *origins) {
        const std::string origin = clean_text(given);  // as a worker says it of itself
        const bool ran =
            std::any_of(header_.implementations.begin(), header_.implementations.end(),
                        [&](const Info& info) { return clean_text(info.origin) == origin; });
        if (!ran) {
          add(Request::Kind::origin, "implementation", origin,
              why(not_run_,
                  [&](const NotRunRecord& row) { return clean_text(row.path) == origin; }));
        }
      }
    }
  }

  void filters(std::span<const std::string> idle) {
    for (const std::string& filter : idle) {
      unmet_.push_back({Request::Kind::filter, filter,
                        fmt::format("the filter '{}' was given, and selects no case", filter)});
    }
  }

  std::vector<Request> take() { return std::move(unmet_); }

 private:
  void add(Request::Kind kind, std::string_view word, const std::string& name,
           const std::string& reason) {
    unmet_.push_back(
        {kind, name, fmt::format("{} {} was asked for, and ran nowhere{}", word, name, reason)});
  }

  const RunHeader& header_;
  std::span<const NotRunRecord> not_run_;
  std::vector<Request> unmet_;
};

}  // namespace

std::vector<Request> unmet_requests(const RunHeader& header,
                                    std::span<const std::string> idle_filters,
                                    std::span<const NotRunRecord> not_run) {
  // Answers in files were made by nobody knows what: they are all that was asked for.
  if (judges_answers(header)) return {};
  Requests requests(header, not_run);
  requests.names(Request::Kind::operation, "operation", header.selection.operations,
                 &Info::operation, &NotRunRecord::operation);
  requests.names(Request::Kind::path, "path", header.selection.paths, &Info::path,
                 &NotRunRecord::path);
  requests.devices();
  requests.under_test();
  requests.filters(idle_filters);
  return requests.take();
}

}  // namespace harness
