// A case: a named, repeatable recipe for one or more problems of an operation.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// What a run plans. Each level holds the cases of those before it.
enum class Level { smoke, standard, full, exhaustive };

std::string_view name_of(Level level);
std::optional<Level> level_named(std::string_view name);

struct Case {
  std::string operation;
  std::string
      id;  // "nvfp4_gather_index_k/exhaustive_page": stable, append-only, unique in the suite
  std::string comment;  // one line: what it is there to see
  Level level = Level::standard;
  std::vector<std::string> tags;
  // What Operation::build makes the problems from, and all it makes them from: two equal specs give
  // equal bytes on every machine. It is what a saved failure and a reproduce command carry.
  nlohmann::json spec;
  // Device memory that the largest problem takes; a device with less reports the case as not run.
  std::uint64_t device_bytes = 0;
};

}  // namespace harness
