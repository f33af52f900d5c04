// The signatures of operations on pages, from the data of their pools.
#pragma once

#include "harness/model/signature.hpp"
#include "oracle/pages/gather.hpp"

namespace harness {

// The tensor of pages: `pages` names the extent of its outermost axis.
TensorSignature pool_signature(const oracle::PoolLayout& pool, std::string_view pages);

// Tensors, scalars and grid of a reader. The struct is left to the operation, which knows its type.
Signature page_signature(const oracle::PageReader& reader);

// The members of a struct of abi.h on pages, as far as it has them.
template <class Struct>
void set_struct(Signature& signature, std::string_view name) {
  signature.struct_name = name;
  signature.struct_bytes = sizeof(Struct);
  std::vector<StructMember>& members = signature.members;
  const auto add = [&](std::string_view member_name, auto pointer) {
    members.push_back(member(member_name, pointer));
  };
  add("struct_bytes", &Struct::struct_bytes);
  if constexpr (requires { &Struct::rows; }) add("rows", &Struct::rows);
  if constexpr (requires { &Struct::num_tokens; }) add("num_tokens", &Struct::num_tokens);
  if constexpr (requires { &Struct::row_stride_bytes; }) {
    add("row_stride_bytes", &Struct::row_stride_bytes);
  }
  if constexpr (requires { &Struct::row_head_stride_bytes; }) {
    add("row_head_stride_bytes", &Struct::row_head_stride_bytes);
  }
  if constexpr (requires { &Struct::rows_dtype; }) add("rows_dtype", &Struct::rows_dtype);
  if constexpr (requires { &Struct::slot_mapping; }) add("slot_mapping", &Struct::slot_mapping);
  if constexpr (requires { &Struct::kv_cache; }) add("kv_cache", &Struct::kv_cache);
  if constexpr (requires { &Struct::pages; }) add("pages", &Struct::pages);
  if constexpr (requires { &Struct::num_blocks; }) add("num_blocks", &Struct::num_blocks);
  if constexpr (requires { &Struct::num_heads; }) add("num_heads", &Struct::num_heads);
  add("page_stride_bytes", &Struct::page_stride_bytes);
  if constexpr (requires { &Struct::plane_stride_bytes; }) {
    add("plane_stride_bytes", &Struct::plane_stride_bytes);
  }
  if constexpr (requires { &Struct::head_stride_bytes; }) {
    add("head_stride_bytes", &Struct::head_stride_bytes);
  }
  if constexpr (requires { &Struct::block_table; }) {
    add("block_table", &Struct::block_table);
    add("num_reqs", &Struct::num_reqs);
    add("max_blocks", &Struct::max_blocks);
    add("block_table_stride_elements", &Struct::block_table_stride_elements);
    add("page_offsets", &Struct::page_offsets);
    add("max_num_pages", &Struct::max_num_pages);
    add("out_pages", &Struct::out_pages);
  }
  // Of each request, or of the pool.
  if constexpr (requires { &Struct::num_pages; }) add("num_pages", &Struct::num_pages);
  if constexpr (requires { &Struct::out; }) add("out", &Struct::out);
  if constexpr (requires { &Struct::out_dtype; }) add("out_dtype", &Struct::out_dtype);
}

}  // namespace harness
