// The operations, one function each; all_operations lists them.
#pragma once

#include "harness/model/operation.hpp"

namespace harness {

const Operation& qmul4();
const Operation& encode_e4m3();
const Operation& convert();
const Operation& nvfp4_gather_index_k();
const Operation& mxfp4_decode_pages();
const Operation& mxfp4_gather_pages();
const Operation& nvfp4_write_index_k();
const Operation& mxfp4_write_pages();

}  // namespace harness
