// `nvfp4_gather_index_k`, docs/design.md section 3.2.
#include <array>

#include "harness/suite/operations/bind.hpp"
#include "harness/suite/operations/page_operation.hpp"
#include "harness/suite/operations/registry.hpp"
#include "kernels/abi.hpp"

namespace harness {
namespace {

Result<Launch> bind_nvfp4_gather(const Problem& problem, std::span<const std::uint64_t> origins,
                                 unsigned /*threads_per_block*/) {
  const Tensor& table = *problem.find("block_table");
  kernels::Nvfp4GatherIndexKArgs args{};
  args.kv_cache = device_pointer<const std::uint8_t>(problem, origins, "kv_cache");
  args.page_stride_bytes = problem.find("kv_cache")->strides[0];
  args.block_table = device_pointer<const std::int32_t>(problem, origins, "block_table");
  args.block_table_stride = table.strides[0];
  args.num_pages = device_pointer<const std::int32_t>(problem, origins, "num_pages");
  args.page_offsets = device_pointer<const std::int32_t>(problem, origins, "page_offsets");
  args.num_reqs = static_cast<std::int32_t>(table.shape[0]);
  args.max_num_pages = static_cast<std::int32_t>(problem.scalars.at("max_num_pages"));
  args.out = device_pointer<std::uint8_t>(problem, origins, "out");
  // One thread block for each (request, page); none where there is nothing to gather.
  return check_alignment(problem, "kv_cache address", origin_of(problem, origins, "kv_cache"), 8)
      .and_then([&] {
        return check_alignment(problem, "kv_cache page stride",
                               static_cast<std::uint64_t>(args.page_stride_bytes), 8);
      })
      .and_then([&] {
        return check_alignment(problem, "out address", origin_of(problem, origins, "out"), 16);
      })
      .map([&] {
        return Launch{bytes_of(args), static_cast<std::uint64_t>(args.num_reqs) *
                                          static_cast<std::uint64_t>(args.max_num_pages)};
      });
}

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
    .bind = bind_nvfp4_gather,
};

}  // namespace

const Operation& nvfp4_gather_index_k() {
  static const PageOperationBase operation(nvfp4_gather);
  return operation;
}

}  // namespace harness
