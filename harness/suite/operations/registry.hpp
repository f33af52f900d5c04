// The operations, alone or as families; all_operations lists them.
#pragma once

#include "harness/model/operation.hpp"

namespace harness {

const Operation& qmul4();
const Operation& encode_e4m3();
const Operation& convert();
std::span<const Operation* const> page_operations();   // readers of pages
std::span<const Operation* const> write_operations();  // writers of pages

}  // namespace harness
