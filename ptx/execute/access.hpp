// What runs loads, stores, asynchronous copies and matrices of bytes.
#pragma once

#include "ptx/execute/operation.hpp"

namespace ptx::execute {

// The function for a load or a store of this shape; the element has 1, 2, 4 or 8 bytes.
[[nodiscard]] Run loader(const MemoryAccess& access);
[[nodiscard]] Run storer(const MemoryAccess& access);

// cp.async of MemoryAccess::element_bytes bytes from [in[1]] to shared memory at [in[0]]; the
// source has in[2] bytes, the rest is zero.
void copy_async(Lanes& lanes, const Operation& operation);
void commit_group(Lanes& lanes, const Operation& operation);
// Waits until at most Operation::immediate of the thread's last groups run.
void wait_group(Lanes& lanes, const Operation& operation);
void wait_all(Lanes& lanes, const Operation& operation);

// ldmatrix and stmatrix of MemoryAccess::count matrices of 8 rows of 16 bytes.
void load_matrix(Lanes& lanes, const Operation& operation);
void store_matrix(Lanes& lanes, const Operation& operation);
void load_matrix_transposed(Lanes& lanes, const Operation& operation);
void store_matrix_transposed(Lanes& lanes, const Operation& operation);

// Checks the address of a prefetch no more than hardware does.
void no_effect(Lanes& lanes, const Operation& operation);

}  // namespace ptx::execute
