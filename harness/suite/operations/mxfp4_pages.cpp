// `mxfp4_decode_pages` (docs/design.md section 3.3) and `mxfp4_gather_pages`, its twin through a
// block table.
#include <fmt/format.h>

#include <array>

#include "harness/suite/operations/bind.hpp"
#include "harness/suite/operations/page_operation.hpp"
#include "harness/suite/operations/registry.hpp"
#include "kernels/abi.hpp"

namespace harness {
namespace {

constexpr std::array dtypes{DType::f8_e4m3, DType::f32, DType::bf16, DType::f16};

Result<kernels::Destination> destination_of(const Problem& problem) {
  switch (problem.find("out")->dtype) {
    case DType::f8_e4m3:
      return kernels::Destination::e4m3;
    case DType::f32:
      return kernels::Destination::f32;
    case DType::bf16:
      return kernels::Destination::bf16;
    case DType::f16:
      return kernels::Destination::f16;
    case DType::u8:
    case DType::u16:
    case DType::u32:
    case DType::i32:
    case DType::i64:
      break;
  }
  return oracle::fail(ErrorCode::wrong_dtype,
                      fmt::format("{}: out: expected F8_E4M3, F32, BF16 or F16, got {}",
                                  problem.operation, name_of(problem.find("out")->dtype)));
}

// Fills what both argument structs have.
template <class Args>
Status fill_pages(const Problem& problem, std::span<const std::uint64_t> origins, Args& args) {
  const Tensor& pages = *problem.find("pages");
  const bool has_head_axis = pages.shape.size() == 3;
  args.pages = device_pointer<const std::uint8_t>(problem, origins, "pages");
  args.page_stride_bytes = pages.strides[0];
  args.head_stride_bytes = has_head_axis ? pages.strides[1] : 0;
  args.num_heads = has_head_axis ? static_cast<std::int32_t>(pages.shape[1]) : 1;
  args.out = device_pointer<void>(problem, origins, "out");
  const auto destination = destination_of(problem);
  if (!destination) return tl::make_unexpected(destination.error());
  args.destination = *destination;
  const auto unsigned_stride = [](std::int64_t stride) {
    return static_cast<std::uint64_t>(stride);
  };
  return check_alignment(problem, "pages address", origin_of(problem, origins, "pages"), 8)
      .and_then([&] {
        return check_alignment(problem, "pages page stride",
                               unsigned_stride(args.page_stride_bytes), 8);
      })
      .and_then([&] {
        return check_alignment(problem, "pages head stride",
                               unsigned_stride(args.head_stride_bytes), 8);
      })
      .and_then([&] {
        return check_alignment(problem, "out address", origin_of(problem, origins, "out"), 16);
      });
}

Result<Launch> bind_decode(const Problem& problem, std::span<const std::uint64_t> origins,
                           unsigned /*threads_per_block*/) {
  kernels::Mxfp4DecodePagesArgs args{};
  args.num_pages = static_cast<std::int32_t>(problem.find("pages")->shape[0]);
  return fill_pages(problem, origins, args).map([&] {
    // One thread block for each (page, head).
    return Launch{bytes_of(args), static_cast<std::uint64_t>(args.num_pages) *
                                      static_cast<std::uint64_t>(args.num_heads)};
  });
}

Result<Launch> bind_gather(const Problem& problem, std::span<const std::uint64_t> origins,
                           unsigned /*threads_per_block*/) {
  const Tensor& table = *problem.find("block_table");
  kernels::Mxfp4GatherPagesArgs args{};
  args.block_table = device_pointer<const std::int32_t>(problem, origins, "block_table");
  args.block_table_stride = table.strides[0];
  args.num_pages = device_pointer<const std::int32_t>(problem, origins, "num_pages");
  args.page_offsets = device_pointer<const std::int32_t>(problem, origins, "page_offsets");
  args.num_reqs = static_cast<std::int32_t>(table.shape[0]);
  args.max_num_pages = static_cast<std::int32_t>(problem.scalars.at("max_num_pages"));
  return fill_pages(problem, origins, args).map([&] {
    // One thread block for each (request, page, head).
    return Launch{bytes_of(args), static_cast<std::uint64_t>(args.num_reqs) *
                                      static_cast<std::uint64_t>(args.max_num_pages) *
                                      static_cast<std::uint64_t>(args.num_heads)};
  });
}

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
    .bind = bind_decode,
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
    .bind = bind_gather,
};

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
