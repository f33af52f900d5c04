#include "oracle/pages/contract.hpp"

#include <algorithm>
#include <string>

namespace oracle {
namespace {

bool matches(const Extents& actual, const Extents& pattern, bool any_is_nonnegative) {
  if (actual.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (pattern[i] == -1 ? any_is_nonnegative && actual[i] < 0 : actual[i] != pattern[i]) {
      return false;
    }
  }
  return true;
}

std::string property(std::string_view argument, std::string_view name) {
  return std::string(argument) + " " + std::string(name);
}

}  // namespace

Contract& Contract::require(bool right, ErrorCode code, std::string_view what,
                            std::string_view expected, std::string_view actual) {
  if (holds_so_far() && !right) {
    violation_ = Error{code, std::string(operation_) + ": " + std::string(what) + ": expected " +
                                 std::string(expected) + ", got " + std::string(actual)};
  }
  return *this;
}

Contract& Contract::dtype(std::string_view argument, Dtype actual, std::span<const Dtype> allowed) {
  std::string expected;
  for (const Dtype dtype : allowed) {
    expected += expected.empty() ? "" : " or ";
    expected += name_of(dtype);
  }
  return require(std::find(allowed.begin(), allowed.end(), actual) != allowed.end(),
                 ErrorCode::wrong_dtype, property(argument, "dtype"), expected, name_of(actual));
}

Contract& Contract::shape(std::string_view argument, const Extents& actual,
                          const Extents& pattern) {
  return require(matches(actual, pattern, true), ErrorCode::wrong_shape,
                 property(argument, "shape"), to_text(pattern), to_text(actual));
}

Contract& Contract::strides(std::string_view argument, const Extents& actual,
                            const Extents& pattern) {
  return require(matches(actual, pattern, false), ErrorCode::wrong_stride,
                 property(argument, "strides"), to_text(pattern), to_text(actual));
}

Contract& Contract::contiguous(std::string_view argument, const Extents& shape,
                               const Extents& actual) {
  return strides(argument, actual, contiguous_strides(shape));
}

Contract& Contract::at_least(ErrorCode code, std::string_view what, std::int64_t actual,
                             std::int64_t bound) {
  return require(actual >= bound, code, what, "at least " + std::to_string(bound),
                 std::to_string(actual));
}

Contract& Contract::not_stored(std::string_view argument, std::int64_t stored_begin,
                               std::size_t stored_bytes, std::optional<std::int64_t> begin,
                               std::int64_t size) {
  const auto range = [](std::int64_t from, std::int64_t length) {
    std::string text = to_text({from, from + length});
    text.back() = ')';  // the end is not part of it
    return text;
  };
  return require(
      false, ErrorCode::out_of_range, property(argument, "bytes"),
      "a part of the stored " + range(stored_begin, static_cast<std::int64_t>(stored_bytes)),
      begin ? range(*begin, size) : "an offset beyond 64 bits");
}

}  // namespace oracle
