// Element types of the tensors that go into and come out of an operation: the oracle's.
#pragma once

#include "oracle/numbers/dtype.hpp"

namespace harness {

using DType = oracle::Dtype;
using oracle::dtype_named;
using oracle::name_of;

constexpr std::size_t element_bytes(DType dtype) { return oracle::size_of(dtype); }

}  // namespace harness
