#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/suite/profiles/profiles.hpp"
#include "oracle/profile_members.hpp"

namespace harness {
namespace {

using namespace oracle;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr int schema_version = 1;  // of profile.schema.json

struct Writer {
  ordered_json& into;

  template <std::unsigned_integral Bits>
  void bits(const char* key, Bits& value) {
    into[key] = fmt::format("{:0{}x}", value, 2 * sizeof(Bits));
  }
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& value) {
    const auto* found = std::find_if(words.begin(), words.end(),
                                     [&](const auto& each) { return each.first == value; });
    into[key] = found == words.end() ? "" : found->second;
  }
  template <class Object>
  void object(const char* key, Object& value) {
    ordered_json inner = ordered_json::object();
    Writer writer{inner};
    members(writer, value);
    into[key] = std::move(inner);
  }
  void names(const char* key, std::vector<std::string>& value) { into[key] = value; }
};

// With `partial`, members that are not there keep the value that they have.
class Reader {
 public:
  Reader(const json& object, std::string place, bool partial)
      : place_(place), reader_(object, std::move(place)), partial_(partial) {}

  template <std::unsigned_integral Bits>
  void bits(const char* key, Bits& value) {
    if (left_out(key)) return;
    const std::string text = reader_.text(key);
    const bool is_hex = text.size() == 2 * sizeof(Bits) &&
                        text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (is_hex) {
      value = static_cast<Bits>(std::stoul(text, nullptr, 16));
    } else {
      reader_.fault(key, fmt::format("expected {} hex digits in lower case, got \"{}\"",
                                     2 * sizeof(Bits), text));
    }
  }
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& value) {
    if (left_out(key)) return;
    const std::string text = reader_.text(key);
    std::vector<std::string_view> known;
    for (const auto& [each, spelled] : words) {
      known.push_back(spelled);
      if (spelled == text) value = each;
    }
    if (std::find(known.begin(), known.end(), text) == known.end()) {
      reader_.fault(key,
                    fmt::format("expected one of {}, got \"{}\"", fmt::join(known, ", "), text));
    }
  }
  template <class Object>
  void object(const char* key, Object& value) {
    if (left_out(key)) return;
    Reader inner(reader_.value(key), fmt::format("{}: \"{}\"", place_, key), partial_);
    members(inner, value);
    if (Status status = inner.done(); !status && inner_) inner_ = status;
  }
  void names(const char* key, std::vector<std::string>& value) {
    if (left_out(key)) return;
    const json& list = reader_.value(key);
    const bool strings =
        list.is_array() &&
        std::all_of(list.begin(), list.end(), [](const json& x) { return x.is_string(); });
    if (!strings) {
      reader_.fault(key, fmt::format("expected an array of strings, got {}", describe(list)));
      return;
    }
    value = list.get<std::vector<std::string>>();
  }

  JsonObject& object() { return reader_; }
  // The first fault: of this object, else of one in it.
  Status done() {
    Status own = reader_.done();
    return own ? inner_ : own;
  }

 private:
  bool left_out(const char* key) { return partial_ && reader_.optional_value(key) == nullptr; }

  std::string place_;
  JsonObject reader_;
  bool partial_;
  Status inner_;
};

}  // namespace

ordered_json to_json(const Profile& profile) {
  Profile copy = profile;
  ordered_json object{
      {"fp4cts_profile", schema_version}, {"name", copy.name}, {"version", copy.version}};
  Writer writer{object};
  members(writer, copy);
  return object;
}

Result<Profile> profile_from_json(const json& object, std::string_view source) {
  Profile profile;
  const bool extends = object.is_object() && object.contains("extends");
  Reader reader(object, std::string(source), extends);
  JsonObject& top = reader.object();
  top.integer("fp4cts_profile", schema_version, schema_version);
  profile.name = top.text("name");
  profile.version = static_cast<int>(top.integer("version", 1, INT32_MAX));
  if (top.optional_value("comment") != nullptr) top.text("comment");
  if (extends) {
    const std::string base = top.text("extends");
    std::vector<std::string_view> names;
    for (const Profile* shipped : profiles::shipped()) {
      names.push_back(shipped->name);
      if (shipped->name != base) continue;
      Profile extended = *shipped;
      extended.name = std::move(profile.name);
      extended.version = profile.version;
      profile = std::move(extended);
    }
    if (std::find(names.begin(), names.end(), base) == names.end()) {
      top.fault("extends",
                fmt::format("expected one of {}, got \"{}\"", fmt::join(names, ", "), base));
    }
  }
  members(reader, profile);
  if (Status status = reader.done(); !status) return tl::make_unexpected(status.error());
  return profile;
}

}  // namespace harness
