// `nvfp4_gather_index_k`, docs/design.md section 3.2.
#include <array>

#include "fp4cts/abi.h"
#include "harness/suite/operations/page_operation.hpp"
#include "harness/suite/operations/page_signature.hpp"
#include "harness/suite/operations/registry.hpp"

namespace harness {
namespace {

const Signature& nvfp4_gather_signature();

constexpr std::array nvfp4_destinations{DType::f8_e4m3};

constexpr PageOperation nvfp4_gather{
    .name = "nvfp4_gather_index_k",
    .summary = "gathers NVFP4 index-K pages through a block table and decodes them to e4m3",
    .contract = PageContract::nvfp4_gather_index_k,
    .layout = &oracle::nvfp4_index_k,
    .pool = "kv_cache",
    .has_table = true,
    .rows_are_tokens = true,
    .has_heads = false,
    .dtypes = nvfp4_destinations,
    .signature = nvfp4_gather_signature,
};

const Signature& nvfp4_gather_signature() {
  static const Signature signature = [] {
    using Struct = fp4cts_nvfp4_gather_index_k;
    Signature s = page_signature(nvfp4_gather);
    set_struct(s, "fp4cts_nvfp4_gather_index_k", &Struct::kv_cache);
    add_table_members<Struct>(s);
    return s;
  }();
  return signature;
}

}  // namespace

const Operation& nvfp4_gather_index_k() {
  static const PageOperationBase operation(nvfp4_gather);
  return operation;
}

}  // namespace harness
