// The harness speaks of errors as the oracle does: Result<T> is tl::expected<T, Error>.
#pragma once

#include "oracle/result.hpp"

namespace harness {

using oracle::Error;
using oracle::ErrorCode;
using oracle::Result;

// A result that carries nothing but success.
using Status = Result<void>;

}  // namespace harness
