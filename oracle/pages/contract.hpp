// Checks of an operation's arguments. The first violation is kept, later checks are skipped, and
// every message reads "operation: argument property: expected X, got Y".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "oracle/pages/tensor_view.hpp"
#include "oracle/result.hpp"

namespace oracle {

class Contract {
 public:
  explicit Contract(std::string_view operation) : operation_(operation) {}

  bool holds_so_far() const { return !violation_.has_value(); }
  Error violation() const { return *violation_; }

  Contract& dtype(std::string_view argument, Dtype actual, std::span<const Dtype> allowed);
  Contract& dtype(std::string_view argument, Dtype actual, std::initializer_list<Dtype> allowed) {
    return dtype(argument, actual, std::span(allowed.begin(), allowed.size()));
  }
  // -1 in `pattern` allows any extent that is not negative.
  Contract& shape(std::string_view argument, const Extents& actual, const Extents& pattern);
  // -1 in `pattern` allows any stride. Checked only where the ranks agree.
  Contract& strides(std::string_view argument, const Extents& actual, const Extents& pattern);
  Contract& contiguous(std::string_view argument, const Extents& shape, const Extents& actual);
  Contract& at_least(ErrorCode code, std::string_view what, std::int64_t actual,
                     std::int64_t bound);
  // Bytes [begin, begin + size) of a tensor lie in its storage; `begin` is nothing where the offset
  // leaves 64 bits. Made to be called for every page: it composes text only for a violation.
  template <class Byte>
  Contract& stored(std::string_view argument, const BasicTensorView<Byte>& view,
                   std::optional<std::int64_t> begin, std::int64_t size) {
    if (!holds_so_far() || (begin && holds(view, *begin, size))) return *this;
    return not_stored(argument, -view.origin_bytes, view.storage.size(), begin, size);
  }
  // The general case: a violation unless `right`.
  Contract& require(bool right, ErrorCode code, std::string_view what, std::string_view expected,
                    std::string_view actual);

 private:
  Contract& not_stored(std::string_view argument, std::int64_t stored_begin,
                       std::size_t stored_bytes, std::optional<std::int64_t> begin,
                       std::int64_t size);

  std::string_view operation_;
  std::optional<Error> violation_;
};

}  // namespace oracle
