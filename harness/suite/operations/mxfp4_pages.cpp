// `mxfp4_decode_pages` (docs/design.md section 3.3) and `mxfp4_gather_pages`, its twin through a
// block table.
#include <array>

#include "fp4cts/abi.h"
#include "harness/suite/operations/page_operation.hpp"
#include "harness/suite/operations/page_signature.hpp"
#include "harness/suite/operations/registry.hpp"

namespace harness {
namespace {

constexpr std::array dtypes{DType::f8_e4m3, DType::f32, DType::bf16, DType::f16};

const Signature& decode_signature();
const Signature& gather_signature();

constexpr PageOperation decode{
    .name = "mxfp4_decode_pages",
    .summary = "decodes MXFP4 pages to e4m3, f32, bf16 or f16",
    .contract = PageContract::mxfp4_decode_pages,
    .layout = &oracle::mxfp4,
    .pool = "pages",
    .has_table = false,
    .rows_are_tokens = false,
    .has_heads = true,
    .dtypes = dtypes,
    .signature = decode_signature,
};

constexpr PageOperation gather{
    .name = "mxfp4_gather_pages",
    .summary =
        "gathers MXFP4 pages through a block table and decodes them to e4m3, f32, bf16 or f16",
    .contract = PageContract::mxfp4_gather_pages,
    .layout = &oracle::mxfp4,
    .pool = "pages",
    .has_table = true,
    .rows_are_tokens = false,
    .has_heads = true,
    .dtypes = dtypes,
    .signature = gather_signature,
};

// The members that both structs have.
template <class Struct>
Signature mxfp4_signature(const PageOperation& operation, std::string_view struct_name) {
  Signature s = page_signature(operation);
  set_struct(s, struct_name, &Struct::pages);
  for (const StructMember& each : {member("num_heads", &Struct::num_heads),
                                   member("head_stride_bytes", &Struct::head_stride_bytes),
                                   member("out_dtype", &Struct::out_dtype)}) {
    s.members.push_back(each);
  }
  return s;
}

const Signature& decode_signature() {
  static const Signature signature = [] {
    using Struct = fp4cts_mxfp4_decode_pages;
    Signature s = mxfp4_signature<Struct>(decode, "fp4cts_mxfp4_decode_pages");
    s.members.push_back(member("num_pages", &Struct::num_pages));
    return s;
  }();
  return signature;
}

const Signature& gather_signature() {
  static const Signature signature = [] {
    using Struct = fp4cts_mxfp4_gather_pages;
    Signature s = mxfp4_signature<Struct>(gather, "fp4cts_mxfp4_gather_pages");
    add_table_members<Struct>(s);
    return s;
  }();
  return signature;
}

}  // namespace

const Operation& mxfp4_decode_pages() {
  static const PageOperationBase operation(decode);
  return operation;
}

const Operation& mxfp4_gather_pages() {
  static const PageOperationBase operation(gather);
  return operation;
}

}  // namespace harness
