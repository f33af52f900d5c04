#include "harness/implementations/plugin/plugin_entries.hpp"

#include <array>

#include "harness/implementations/plugin/plugin_border.hpp"
#include "harness/suite/operations/bind.hpp"

namespace harness {
namespace {

using Origins = std::span<const std::uint64_t>;

std::int32_t dtype_of(DType dtype) {
  switch (dtype) {
    case DType::f8_e4m3:
      return FP4CTS_E4M3;
    case DType::f32:
      return FP4CTS_F32;
    case DType::bf16:
      return FP4CTS_BF16;
    case DType::f16:
      return FP4CTS_F16;
    case DType::u8:
    case DType::u16:
    case DType::u32:
    case DType::i32:
    case DType::i64:
      break;
  }
  return -1;  // no operation has such an output
}

fp4cts_qmul4 qmul4(const Problem& problem, Origins origins) {
  fp4cts_qmul4 arguments{};
  arguments.count = problem.find("d")->shape[0];
  arguments.a = device_pointer<const std::uint16_t>(problem, origins, "a");
  arguments.b = device_pointer<const std::uint32_t>(problem, origins, "b");
  arguments.d = device_pointer<std::uint32_t>(problem, origins, "d");
  return arguments;
}

fp4cts_encode_e4m3 encode_e4m3(const Problem& problem, Origins origins) {
  fp4cts_encode_e4m3 arguments{};
  arguments.count = problem.find("d")->shape[0];
  arguments.x = device_pointer<const float>(problem, origins, "x");
  arguments.d = device_pointer<std::uint8_t>(problem, origins, "d");
  return arguments;
}

template <class Arguments>
void fill_tables(Arguments& arguments, const Problem& problem, Origins origins) {
  const Tensor& table = *problem.find("block_table");
  arguments.block_table = device_pointer<const std::int32_t>(problem, origins, "block_table");
  arguments.num_reqs = table.shape[0];
  arguments.max_blocks = table.shape[1];
  arguments.block_table_stride_elements = table.strides[0];
  arguments.num_pages = device_pointer<const std::int32_t>(problem, origins, "num_pages");
  arguments.page_offsets = device_pointer<const std::int32_t>(problem, origins, "page_offsets");
  arguments.max_num_pages = problem.scalars.at("max_num_pages");
  arguments.out_pages = problem.find("out")->shape[0];
}

template <class Arguments>
void fill_mxfp4(Arguments& arguments, const Problem& problem, Origins origins) {
  const Tensor& pages = *problem.find("pages");
  const bool has_heads = pages.shape.size() == 3;
  arguments.pages = device_pointer<const std::uint8_t>(problem, origins, "pages");
  arguments.num_heads = has_heads ? pages.shape[1] : 1;
  arguments.page_stride_bytes = pages.strides[0];
  arguments.head_stride_bytes = has_heads ? pages.strides[1] : 0;
  arguments.out = device_pointer<void>(problem, origins, "out");
  arguments.out_dtype = dtype_of(problem.find("out")->dtype);
}

fp4cts_nvfp4_gather_index_k nvfp4_gather_index_k(const Problem& problem, Origins origins) {
  const Tensor& pool = *problem.find("kv_cache");
  fp4cts_nvfp4_gather_index_k arguments{};
  arguments.kv_cache = device_pointer<const std::uint8_t>(problem, origins, "kv_cache");
  arguments.num_blocks = pool.shape[0];
  arguments.page_stride_bytes = pool.strides[0];
  arguments.out = device_pointer<std::uint8_t>(problem, origins, "out");
  fill_tables(arguments, problem, origins);
  return arguments;
}

fp4cts_mxfp4_decode_pages mxfp4_decode_pages(const Problem& problem, Origins origins) {
  fp4cts_mxfp4_decode_pages arguments{};
  arguments.num_pages = problem.find("pages")->shape[0];
  fill_mxfp4(arguments, problem, origins);
  return arguments;
}

fp4cts_mxfp4_gather_pages mxfp4_gather_pages(const Problem& problem, Origins origins) {
  fp4cts_mxfp4_gather_pages arguments{};
  arguments.num_blocks = problem.find("pages")->shape[0];
  fill_mxfp4(arguments, problem, origins);
  fill_tables(arguments, problem, origins);
  return arguments;
}

template <auto Member, auto Arguments>
constexpr PluginEntry entry(std::string_view operation) {
  return {operation,
          [](const fp4cts_dut_declaration& declaration) { return declaration.*Member != nullptr; },
          [](const fp4cts_dut_declaration& declaration, const fp4cts_call& call,
             const Problem& problem, Origins origins) {
            auto arguments = Arguments(problem, origins);
            arguments.struct_bytes = sizeof arguments;
            return border::enter(declaration, call, arguments);
          }};
}

}  // namespace

std::span<const PluginEntry> plugin_entries() {
  using Declaration = fp4cts_dut_declaration;
  static constexpr std::array entries{
      entry<&Declaration::qmul4, qmul4>("qmul4"),
      entry<&Declaration::encode_e4m3, encode_e4m3>("encode_e4m3"),
      entry<&Declaration::nvfp4_gather_index_k, nvfp4_gather_index_k>("nvfp4_gather_index_k"),
      entry<&Declaration::mxfp4_decode_pages, mxfp4_decode_pages>("mxfp4_decode_pages"),
      entry<&Declaration::mxfp4_gather_pages, mxfp4_gather_pages>("mxfp4_gather_pages")};
  return entries;
}

}  // namespace harness
