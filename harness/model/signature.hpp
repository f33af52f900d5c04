// An operation's signature: its tensors and scalars as data, stated once. What checks a problem,
// what fills the C struct that kernels and plug-ins are given (include/fp4cts/abi.h), what a module
// map may name, which operations have a lane stream and the table in the documentation derive from
// it.
//
// Everything that a call may choose has a name that is unique in its operation: tensors, scalars,
// the extents and strides of axes, and NAME_dtype, the element type of tensor NAME where there are
// several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/dtype.hpp"
#include "harness/model/problem.hpp"

namespace harness {

// One axis of a tensor.
struct Axis {
  std::string_view name =
      {};                   // of its extent, if calls choose it: axes of one name have one extent
  std::int64_t extent = 0;  // where it has no name
  // Name of the distance between neighbours, if calls choose it: in bytes where it ends in _bytes,
  // else in elements. Empty: dense, the product of the extents further in.
  std::string_view stride = {};
  std::int64_t least_stride_bytes = INT64_MIN;
  std::int64_t stride_multiple_bytes = 1;  // what a struct of abi.h promises; 1: nothing
  bool optional = false;  // a tensor may lack it: its extent is then 1 and its stride 0

  bool operator==(const Axis&) const = default;
};

struct TensorSignature {
  std::string_view name = {};
  Role role = Role::input;
  std::vector<DType> dtypes;  // the first is the default
  std::vector<Axis> axes;     // outermost first; at most one is optional
  // What a struct of abi.h promises of the address of element [0, ..., 0]: a multiple of this. 0:
  // of the size of an element.
  std::int64_t alignment_bytes = 0;
  bool whole = false;  // it begins with its storage and ends with it
};

enum class ScalarType { i32, i64, f32 };  // an f32 is carried as its bits

struct ScalarSignature {
  std::string_view name = {};
  ScalarType type = ScalarType::i32;
  std::int64_t least = 0;
};

// A member of a struct of abi.h.
struct StructMember {
  std::string_view name = {};
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

struct Signature {
  std::string_view operation;
  std::vector<TensorSignature> tensors;  // in the operation's order
  std::vector<ScalarSignature> scalars;

  std::string_view struct_name;  // of abi.h
  std::size_t struct_bytes = 0;
  std::vector<StructMember> members;

  // What a launch of the kernels in the box is for: the product of these extents and scalars, in
  // blocks, or in threads where each thread takes one.
  std::vector<std::string_view> grid;
  bool grid_counts_threads = false;
  std::int64_t grid_factor = 1;  // and so many times as many: the scale blocks of a row

  const TensorSignature* find(std::string_view tensor) const;
};

// A member of a struct, by its name and a pointer to it: `member("count", &fp4cts_qmul4::count)`.
template <class Struct, class Type>
StructMember member(std::string_view name, Type Struct::*at) {
  static const Struct probe{};
  const auto* const first = reinterpret_cast<const char*>(&probe);
  return {name, static_cast<std::size_t>(reinterpret_cast<const char*>(&(probe.*at)) - first),
          sizeof(Type)};
}

// Whether a tensor of so many axes has all of them, or lacks the optional one.
bool has_optional_axis(const TensorSignature& tensor, std::size_t rank);

// An integer by its name: an extent, a stride (0 of an axis that is not there), a scalar, or the
// code that abi.h has for a dtype. None where the signature has no such name or the problem no such
// tensor.
std::optional<std::int64_t> named_integer(const Signature& signature, const Problem& problem,
                                          std::string_view name);
// All names that named_integer knows.
std::vector<std::string_view> integer_names(const Signature& signature);

// Whether all tensors are whole rows of one length and one dtype of at most 32 bits, the last alone
// an output: then a call is a list of elements, and has a lane stream.
bool is_rows(const Signature& signature);

// Rows of the table of docs/plug-ins.md, a row for each tensor and scalar.
std::vector<std::string> signature_rows(const Signature& signature);

// The code of a dtype in a struct of abi.h; none where no struct has it.
std::optional<std::int32_t> abi_dtype(DType dtype);

}  // namespace harness
