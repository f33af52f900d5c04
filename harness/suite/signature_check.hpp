// A problem held against its operation's signature.
#pragma once

#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"
#include "harness/model/signature.hpp"

namespace harness {

// Tensors and scalars, no more and no fewer, with the roles, dtypes, shapes and strides that the
// signature states; extents of one name agree. What the stored integers say (page ids, counts) and
// which bytes are stored is the operation's own contract. Error: names operation, argument,
// expected and actual.
Status check_signature(const Signature& signature, const Problem& problem);

}  // namespace harness
