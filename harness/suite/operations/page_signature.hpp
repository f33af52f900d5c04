// The signature of a page operation, from its data.
#pragma once

#include "harness/model/signature.hpp"
#include "harness/suite/operations/page_format.hpp"

namespace harness {

// Tensors, scalars and grid. The struct is left to the operation, which knows its type.
Signature page_signature(const PageOperation& operation);

// The members of every struct of a gather.
template <class Struct>
void add_table_members(Signature& signature) {
  for (const StructMember& each :
       {member("block_table", &Struct::block_table), member("num_reqs", &Struct::num_reqs),
        member("max_blocks", &Struct::max_blocks),
        member("block_table_stride_elements", &Struct::block_table_stride_elements),
        member("num_pages", &Struct::num_pages), member("page_offsets", &Struct::page_offsets),
        member("max_num_pages", &Struct::max_num_pages), member("num_blocks", &Struct::num_blocks),
        member("out_pages", &Struct::out_pages)}) {
    signature.members.push_back(each);
  }
}

// The members of every struct: size, pool, output.
template <class Struct, class Pool>
void set_struct(Signature& signature, std::string_view name, Pool Struct::*pool) {
  signature.struct_name = name;
  signature.struct_bytes = sizeof(Struct);
  signature.members = {
      member("struct_bytes", &Struct::struct_bytes), member(signature.tensors.front().name, pool),
      member("page_stride_bytes", &Struct::page_stride_bytes), member("out", &Struct::out)};
}

}  // namespace harness
