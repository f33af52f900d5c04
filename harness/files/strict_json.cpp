#include "harness/files/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/files/file.hpp"

namespace harness {
namespace {

// Builds the value from the events of nlohmann's parser, which itself neither counts depth nor
// minds duplicate keys.
template <class Json>
class Builder {
 public:
  Builder(std::string_view source, std::size_t max_depth) : source_(source), depth_(max_depth) {}

  using number_integer_t = typename Json::number_integer_t;
  using number_unsigned_t = typename Json::number_unsigned_t;
  using number_float_t = typename Json::number_float_t;
  using string_t = typename Json::string_t;
  using binary_t = typename Json::binary_t;

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(number_integer_t value) { return put(value); }
  bool number_unsigned(number_unsigned_t value) { return put(value); }
  bool number_float(number_float_t value, const string_t& token) {
    if (token.find_first_of(".eE") == string_t::npos) {
      return refuse(fmt::format("expected an integer of at most 64 bits, got {}", token));
    }
    return put(value);
  }
  bool string(string_t& value) { return put(std::move(value)); }
  bool binary(binary_t& /*value*/) { return refuse("expected JSON text, got a binary value"); }

  bool start_object(std::size_t /*elements*/) { return open(Json::object()); }
  bool key(string_t& name) {
    Level& level = open_.back();
    if (!level.keys.insert(name).second) {
      return refuse(fmt::format("duplicate key \"{}\"", name));
    }
    level.key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t /*elements*/) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t byte, const std::string& token,
                   const nlohmann::detail::exception& exception) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    std::string_view what = exception.what();
    if (const auto end = what.find("] "); end != std::string_view::npos)
      what.remove_prefix(end + 2);
    static_cast<void>(token);
    error_ = fmt::format("{}: byte {}: {}", source_, byte, what);
    return false;
  }

  Json take() { return std::move(root_); }
  const std::string& error() const { return error_; }

 private:
  struct Level {
    Json value;
    std::string key;             // of the member being read
    std::set<std::string> keys;  // seen so far
  };

  bool open(Json value) {
    if (open_.size() == depth_) {
      return refuse(fmt::format("expected at most {} nested arrays and objects, got more", depth_));
    }
    open_.push_back({std::move(value), {}, {}});
    return true;
  }
  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }
  template <class Value>
  bool put(Value&& value) {
    if (open_.empty()) {
      root_ = Json(std::forward<Value>(value));
    } else if (Level& level = open_.back(); level.value.is_array()) {
      level.value.push_back(Json(std::forward<Value>(value)));
    } else {
      level.value[level.key] = Json(std::forward<Value>(value));
    }
    return true;
  }
  bool refuse(std::string what) {
    std::string path;
    for (const Level& level : open_) {
      path += '/';
      path += level.value.is_array() ? std::to_string(level.value.size()) : level.key;
    }
    error_ = fmt::format("{}: {}: {}", source_, path.empty() ? "top level" : path, what);
    return false;
  }

  std::string_view source_;
  std::size_t depth_;
  std::vector<Level> open_;
  Json root_;
  std::string error_;
};

template <class Json>
Result<Json> parse(std::string_view text, std::string_view source, JsonLimits limits) {
  if (text.size() > limits.max_bytes) {
    return oracle::fail(ErrorCode::malformed,
                        fmt::format("{}: expected at most {} bytes of JSON, got {}", source,
                                    limits.max_bytes, text.size()));
  }
  // The parser takes a NUL byte for the end of its input and skips a byte-order mark.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("{}: byte {}: expected JSON text, got a NUL byte", source, nul));
  }
  if (text.starts_with("\xef\xbb\xbf")) {
    return oracle::fail(
        ErrorCode::malformed,
        fmt::format("{}: byte 0: expected JSON text, got a byte-order mark", source));
  }
  Builder<Json> builder(source, limits.max_depth);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    return oracle::fail(ErrorCode::malformed, builder.error());
  }
  return builder.take();
}

bool is_int64(const nlohmann::json& value) {
  return value.is_number_integer() &&
         !(value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX});
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, std::string_view source,
                                  JsonLimits limits) {
  return parse<nlohmann::json>(text, source, limits);
}

Result<nlohmann::ordered_json> parse_ordered_json(std::string_view text, std::string_view source,
                                                  JsonLimits limits) {
  return parse<nlohmann::ordered_json>(text, source, limits);
}

Result<nlohmann::json> read_json_file(const std::filesystem::path& path, JsonLimits limits) {
  return read_text_file(path, limits.max_bytes).and_then([&](const std::string& text) {
    return parse_json(text, path.string(), limits);
  });
}

std::string describe(const nlohmann::json& value) {
  switch (value.type()) {
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "an array";
    case nlohmann::json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      return text.size() <= 60 ? fmt::format("\"{}\"", text)
                               : fmt::format("a string of {} bytes", text.size());
    }
    default:
      return value.dump();
  }
}

JsonObject::JsonObject(const nlohmann::json& object, std::string place)
    : object_(&object), place_(std::move(place)) {
  if (!object.is_object()) {
    fault_ = fmt::format("{}: expected an object, got {}", place_, describe(object));
  }
}

void JsonObject::fault(std::string_view key, std::string_view what) {
  if (!fault_) fault_ = fmt::format("{}: \"{}\": {}", place_, key, what);
}

const nlohmann::json* JsonObject::find(const char* key) {
  asked_.emplace_back(key);
  if (!object_->is_object()) return nullptr;
  const auto member = object_->find(key);
  return member == object_->end() ? nullptr : &*member;
}

const nlohmann::json& JsonObject::value(const char* key) {
  static const nlohmann::json missing;
  const nlohmann::json* found = find(key);
  if (found == nullptr) fault(key, "expected this member, got none");
  return found == nullptr ? missing : *found;
}

const nlohmann::json* JsonObject::optional_value(const char* key) { return find(key); }

std::string JsonObject::text(const char* key) {
  const nlohmann::json& found = value(key);
  if (found.is_string()) return found.get<std::string>();
  fault(key, fmt::format("expected a string, got {}", describe(found)));
  return {};
}

std::int64_t JsonObject::integer(const char* key, std::int64_t min, std::int64_t max) {
  const nlohmann::json& found = value(key);
  const bool fits = is_int64(found);
  const std::int64_t number = fits ? found.get<std::int64_t>() : 0;
  if (fits && number >= min && number <= max) return number;
  fault(key, fmt::format("expected an integer in [{}, {}], got {}", min, max, describe(found)));
  return min;
}

bool JsonObject::boolean(const char* key) {
  const nlohmann::json& found = value(key);
  if (found.is_boolean()) return found.get<bool>();
  fault(key, fmt::format("expected true or false, got {}", describe(found)));
  return false;
}

std::vector<std::int64_t> JsonObject::integers(const char* key) {
  std::vector<std::int64_t> values;
  const nlohmann::json& array = value(key);
  bool good = array.is_array();
  for (std::size_t i = 0; good && i < array.size(); ++i) {
    good = is_int64(array[i]);
    if (good) values.push_back(array[i].get<std::int64_t>());
  }
  if (!good) fault(key, "expected an array of integers of 63 bits and a sign");
  return values;
}

Result<void> JsonObject::done() {
  if (!fault_) {
    for (const auto& [key, unused] : object_->items()) {
      if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
        fault(key, "expected no such member");
      }
    }
  }
  if (fault_) return oracle::fail(ErrorCode::malformed, *fault_);
  return {};
}

}  // namespace harness
