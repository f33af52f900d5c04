#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <string>

#include "oracle/c_api/handle.hpp"
#include "oracle/profile_members.hpp"

namespace oracle::c_api {
namespace {

// Sets the member that a path of names leads to: "nan.e4m3".
class Setter {
 public:
  Setter(std::string_view path, std::string_view value, std::string place)
      : value_(value), place_(std::move(place)) {
    const std::size_t dot = path.find('.');
    name_ = path.substr(0, dot);
    rest_ = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }

  template <std::unsigned_integral Bits>
  void bits(const char* key, Bits& member) {
    if (!is_meant(key)) return;
    const bool is_hex = value_.size() == 2 * sizeof(Bits) &&
                        value_.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (!is_hex) {
      return refuse("expected " + std::to_string(2 * sizeof(Bits)) + " hex digits in lower case");
    }
    member = static_cast<Bits>(std::strtoul(std::string(value_).c_str(), nullptr, 16));
  }
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& member) {
    if (!is_meant(key)) return;
    std::string known;
    for (const auto& [each, spelled] : words) {
      known += (known.empty() ? "" : ", ") + std::string(spelled);
      if (spelled == value_) {
        member = each;
        return;
      }
    }
    refuse("expected one of " + known);
  }
  template <class Object>
  void object(const char* key, Object& member) {
    if (name_ != key || rest_.empty()) return;
    found_ = true;
    Setter inner(rest_, value_, place_);
    members(inner, member);
    status_ = inner.status();
  }
  void names(const char* /*key*/, std::vector<std::string>& /*member*/) {}  // says, changes nothing

  Result<void> status() const {
    if (found_) return status_;
    return fail(ErrorCode::unknown_name, place_ + ": no such member");
  }

 private:
  bool is_meant(const char* key) {
    if (name_ != key || !rest_.empty()) return false;
    found_ = true;
    return true;
  }
  void refuse(const std::string& expected) {
    status_ = fail(ErrorCode::unknown_name,
                   place_ + ": " + expected + ", got '" + std::string(value_) + "'");
  }

  std::string_view name_;
  std::string_view rest_;
  std::string_view value_;
  std::string place_;
  bool found_ = false;
  Result<void> status_;
};

}  // namespace
}  // namespace oracle::c_api

using namespace oracle;
using namespace oracle::c_api;

extern "C" {

fp4cts_oracle_status fp4cts_oracle_profile_open(const char* name, fp4cts_oracle_profile** opened) {
  return guarded([&]() -> Result<void> {
    const std::string wanted = name != nullptr ? name : "";
    std::string known;
    for (const Profile* shipped : profiles::shipped()) {
      if (shipped->name == wanted && opened != nullptr) {
        *opened = new fp4cts_oracle_profile(*shipped);
        return {};
      }
      known += (known.empty() ? "" : ", ") + shipped->name;
    }
    if (opened == nullptr) return fail(ErrorCode::invalid_argument, "profile: is null");
    return fail(ErrorCode::unknown_name,
                "profile: expected one of " + known + "; got '" + wanted + "'");
  });
}

fp4cts_oracle_status fp4cts_oracle_profile_set(fp4cts_oracle_profile* profile, const char* member,
                                               const char* value) {
  return guarded([&]() -> Result<void> {
    if (profile == nullptr || member == nullptr || value == nullptr) {
      return fail(ErrorCode::invalid_argument, "profile: profile, member or value is null");
    }
    Setter setter(member, value, "profile: " + std::string(member));
    members(setter, profile->profile);
    if (Result<void> status = setter.status(); !status) return status;
    const std::scoped_lock lock(profile->mutex);
    profile->tables.reset();
    return {};
  });
}

void fp4cts_oracle_profile_close(fp4cts_oracle_profile* profile) { delete profile; }

}  // extern "C"
