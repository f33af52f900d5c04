// What the C functions share: the profile behind the handle, the status of a failure, and views.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "fp4cts/oracle.h"
#include "oracle/pages/fast.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

// The tables are filled when the first page is decoded: most programs that encode need none.
struct fp4cts_oracle_profile {
  explicit fp4cts_oracle_profile(oracle::Profile chosen) : profile(std::move(chosen)) {}

  std::shared_ptr<const oracle::FastOracle> fast() const {
    const std::scoped_lock lock(mutex);
    if (tables == nullptr) tables = std::make_shared<oracle::FastOracle>(profile);
    return tables;
  }

  oracle::Profile profile;
  mutable std::mutex mutex;
  mutable std::shared_ptr<const oracle::FastOracle> tables;
};

namespace oracle::c_api {

// Keeps the message for fp4cts_oracle_error and returns the status that goes with it.
fp4cts_oracle_status failed(const Error& error) noexcept;

// The status of a call: its error is kept, and no exception leaves a C function.
template <class Call>
fp4cts_oracle_status guarded(Call call) noexcept {
  try {
    const Result<void> done = call();
    return done ? FP4CTS_ORACLE_OK : failed(done.error());
  } catch (const std::exception& exception) {
    return failed({ErrorCode::out_of_memory, exception.what()});
  }
}

// Error: a null pointer among arguments that have `count` elements, or a negative count.
Result<void> check_arrays(std::string_view operation, std::int64_t count,
                          std::initializer_list<std::pair<std::string_view, const void*>> arrays);

// The format of block scales: "e4m3" or "e8m0".
Result<FormatSpec> scale_format_named(std::string_view operation, const char* name);

// A destination or source dtype. Error: a number that is no dtype.
Result<Dtype> dtype_numbered(std::string_view operation, std::string_view argument,
                             std::int32_t dtype);

// A view of the caller's memory. Error: a dtype, rank or pointer that is none.
Result<TensorView> view_of(std::string_view operation, std::string_view argument,
                           const fp4cts_oracle_tensor& tensor);

}  // namespace oracle::c_api
