// JSON from outside (RFC 8259), read without trust: the one parser of profiles, cases, results,
// manifests and safetensors headers. Beyond the grammar it refuses what readers disagree about:
// duplicate keys, a byte-order mark, bytes after the value, integers that do not fit in 64 bits,
// and nesting or size beyond a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"

namespace harness {

struct JsonLimits {
  std::size_t max_depth = 32;  // of nested arrays and objects
  std::size_t max_bytes = std::size_t{64} << 20;
};

// `source` names the text in errors: a file, or "FILE line 3". Error: malformed, with the byte or
// the path of the value ("/tensors/0"). ordered_json keeps the order of keys, json sorts them.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view source,
                                  JsonLimits limits = {});
Result<nlohmann::ordered_json> parse_ordered_json(std::string_view text, std::string_view source,
                                                  JsonLimits limits = {});
Result<nlohmann::json> read_json_file(const std::filesystem::path& path, JsonLimits limits = {});

// Takes an object apart member by member; every value must be asked for. After the last member
// done() gives the first thing that was wrong: a member missing, of another type, out of range, or
// one that nobody asked for.
class JsonObject {
 public:
  // `place` is what errors call the object: "FILE: /tensors/0".
  JsonObject(const nlohmann::json& object, std::string place);

  std::string text(const char* key);
  std::int64_t integer(const char* key, std::int64_t min, std::int64_t max);
  bool boolean(const char* key);
  // An array of integers of 63 bits and a sign.
  std::vector<std::int64_t> integers(const char* key);
  // An object, array or anything else; null where it is missing, which is noted.
  const nlohmann::json& value(const char* key);
  // Null where it is missing, which is allowed.
  const nlohmann::json* optional_value(const char* key);

  // Notes a fault found by the caller: "expected ..., got ...".
  void fault(std::string_view key, std::string_view what);
  Result<void> done();

 private:
  const nlohmann::json* find(const char* key);
  const nlohmann::json* object_;
  std::string place_;
  std::vector<std::string> asked_;
  std::optional<std::string> fault_;
};

// "an object", "a string", "3": how errors name a JSON value.
std::string describe(const nlohmann::json& value);

}  // namespace harness
