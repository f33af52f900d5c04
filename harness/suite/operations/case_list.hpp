// Collects the cases of a list down to a level.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/case.hpp"

namespace harness {

class CaseList {
 public:
  // `bytes_of` says what device memory a spec takes.
  CaseList(std::string_view operation, Level level,
           std::function<std::uint64_t(const nlohmann::json&)> bytes_of)
      : operation_(operation), level_(level), bytes_of_(std::move(bytes_of)) {}

  void add(Level level, const std::string& id, std::vector<std::string> tags, std::string comment,
           nlohmann::json spec) {
    if (level > level_) return;
    Case added;
    added.operation = operation_;
    added.id = operation_ + '/' + id;
    added.comment = std::move(comment);
    added.level = level;
    added.tags = std::move(tags);
    added.device_bytes = bytes_of_(spec);
    added.spec = std::move(spec);
    cases_.push_back(std::move(added));
  }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  std::string operation_;
  Level level_;
  std::function<std::uint64_t(const nlohmann::json&)> bytes_of_;
  std::vector<Case> cases_;
};

}  // namespace harness
