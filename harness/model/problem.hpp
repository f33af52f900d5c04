// A problem: the tensors and scalars of one call of an operation, as plain host bytes. Whatever
// runs an operation (a kernel in the box, a plug-in, a program over files) is given a problem and
// gives back the bytes of its output tensors.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/dtype.hpp"

namespace harness {

enum class Role { input, output };

// A strided view into `storage`, which is all the memory that the callee may touch through it: the
// harness puts guard zones on both sides of it. For an output, storage holds the fill that bytes
// which must not be written keep.
struct Tensor {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::u8;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // elements, outermost axis first
  // Where element [0, ..., 0] lies, in bytes from storage's first byte. Outside [0, size) for a
  // biased base: a pool of which only the pages around one large id are stored.
  std::int64_t origin_bytes = 0;
  std::vector<std::uint8_t> storage;
  // The storage's address modulo 256 on every device.
  std::uint32_t misalignment_bytes = 0;
};

// The misalignment with which `storage_bytes` end at a multiple of 256. On devices whose memory has
// edges such an input ends exactly where memory ends, so that reading on is an error.
constexpr std::uint32_t flush_misalignment(std::uint64_t storage_bytes) {
  return static_cast<std::uint32_t>((256 - storage_bytes % 256) % 256);
}

struct Problem {
  std::string operation;
  std::vector<Tensor> tensors;                  // inputs and outputs, in the operation's order
  std::map<std::string, std::int64_t> scalars;  // by argument name

  const Tensor* find(std::string_view name) const;
  Tensor* find(std::string_view name);
};

// The storage of every output tensor of a problem after a call, in the problem's order.
using Outputs = std::vector<std::vector<std::uint8_t>>;

}  // namespace harness
