// Products of element and scale, and quantization of scale blocks.
#include <cstring>
#include <string>
#include <vector>

#include "oracle/blocks/block_scale.hpp"
#include "oracle/c_api/handle.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/ieee.hpp"
#include "oracle/pages/product.hpp"

using namespace oracle;
using namespace oracle::c_api;

namespace {

Result<void> check_profile(std::string_view operation, const fp4cts_oracle_profile* profile) {
  if (profile != nullptr) return {};
  return fail(ErrorCode::invalid_argument, std::string(operation) + ": profile: is null");
}

// The f32 bits of an element of a source row.
std::uint32_t source_bits(const void* elements, std::int64_t index, Dtype dtype) {
  const auto* bytes = static_cast<const std::uint8_t*>(elements);
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  const std::span<const std::uint8_t> element(bytes + index * size, static_cast<std::size_t>(size));
  const std::uint32_t code =
      size == 4 ? load<std::uint32_t>(element) : load<std::uint16_t>(element);
  return ieee::widen(code, dtype);
}

}  // namespace

extern "C" {

fp4cts_oracle_status fp4cts_oracle_multiply(const fp4cts_oracle_profile* profile,
                                            const char* scale_format, int32_t dtype, int64_t count,
                                            const uint8_t* codes, const uint8_t* scales,
                                            void* out) {
  return guarded([&]() -> Result<void> {
    constexpr std::string_view name = "multiply";
    if (auto given = check_profile(name, profile); !given) return given;
    const Result<FormatSpec> format = scale_format_named(name, scale_format);
    if (!format) return tl::make_unexpected(format.error());
    const Result<Dtype> destination = dtype_numbered(name, "dtype", dtype);
    if (!destination) return tl::make_unexpected(destination.error());
    if (!is_destination(*destination)) {
      return fail(ErrorCode::wrong_dtype,
                  "multiply: dtype: expected F8_E4M3, F32, BF16 or F16, got " +
                      std::string(name_of(*destination)));
    }
    if (auto arrays =
            check_arrays(name, count, {{"codes", codes}, {"scales", scales}, {"out", out}});
        !arrays) {
      return arrays;
    }
    const auto fast = profile->fast();
    const std::size_t size = size_of(*destination);
    for (std::int64_t i = 0; i < count; ++i) {
      if (codes[i] > 0xf) {
        return fail(ErrorCode::out_of_range, "multiply: codes[" + std::to_string(i) +
                                                 "]: expected 0 to 15, got " +
                                                 std::to_string(codes[i]));
      }
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t bits = fast->element(*format, codes[i], scales[i], *destination);
      std::memcpy(static_cast<std::uint8_t*>(out) + i * static_cast<std::int64_t>(size), &bits,
                  size);
    }
    return {};
  });
}

fp4cts_oracle_status fp4cts_oracle_quantize(const fp4cts_oracle_profile* profile,
                                            const char* scale_format, int32_t dtype,
                                            int64_t num_blocks, int64_t block_elements,
                                            const void* elements, uint8_t* codes, uint8_t* scales) {
  return guarded([&]() -> Result<void> {
    constexpr std::string_view name = "quantize";
    if (auto given = check_profile(name, profile); !given) return given;
    const Result<FormatSpec> format = scale_format_named(name, scale_format);
    if (!format) return tl::make_unexpected(format.error());
    const Result<Dtype> source = dtype_numbered(name, "dtype", dtype);
    if (!source) return tl::make_unexpected(source.error());
    if (*source != Dtype::f32 && *source != Dtype::f16 && *source != Dtype::bf16) {
      return fail(ErrorCode::wrong_dtype, "quantize: dtype: expected F32, F16 or BF16, got " +
                                              std::string(name_of(*source)));
    }
    if (block_elements <= 0 || block_elements % 2 != 0) {
      return fail(ErrorCode::invalid_argument,
                  "quantize: block_elements: expected a positive even number, got " +
                      std::to_string(block_elements));
    }
    if (auto arrays = check_arrays(name, num_blocks,
                                   {{"elements", elements}, {"codes", codes}, {"scales", scales}});
        !arrays) {
      return arrays;
    }
    const auto size = static_cast<std::size_t>(block_elements);
    std::vector<std::uint32_t> bits(size);
    std::vector<std::uint8_t> block(size);
    for (std::int64_t b = 0; b < num_blocks; ++b) {
      for (std::int64_t i = 0; i < block_elements; ++i) {
        bits[static_cast<std::size_t>(i)] = source_bits(elements, b * block_elements + i, *source);
      }
      scales[b] = *format == e4m3::spec
                      ? quantize_block(bits, profile->profile.nvfp4_writer, block)
                      : quantize_block(bits, profile->profile.mxfp4_writer, block);
      for (std::size_t i = 0; i < size; i += 2) {
        codes[b * (block_elements / 2) + static_cast<std::int64_t>(i / 2)] =
            static_cast<std::uint8_t>(block[i] | (block[i + 1] << 4));
      }
    }
    return {};
  });
}

fp4cts_oracle_status fp4cts_oracle_qmul4(const fp4cts_oracle_profile* profile, int64_t count,
                                         const uint16_t* a, const uint32_t* b, uint32_t* d) {
  return guarded([&]() -> Result<void> {
    if (auto given = check_profile("qmul4", profile); !given) return given;
    if (auto arrays = check_arrays("qmul4", count, {{"a", a}, {"b", b}, {"d", d}}); !arrays) {
      return arrays;
    }
    const auto fast = profile->fast();
    for (std::int64_t i = 0; i < count; ++i) {
      std::uint32_t word = 0;
      for (int lane = 0; lane < 4; ++lane) {
        const auto code = static_cast<std::uint8_t>((a[i] >> (4 * lane)) & 0xf);
        const auto scale = static_cast<std::uint8_t>(b[i] >> (8 * lane));
        word |= fast->element(e4m3::spec, code, scale, Dtype::e4m3) << (8 * lane);
      }
      d[i] = word;
    }
    return {};
  });
}

fp4cts_oracle_status fp4cts_oracle_encode_e4m3(const fp4cts_oracle_profile* profile, int64_t count,
                                               const float* x, uint8_t* d) {
  return guarded([&]() -> Result<void> {
    if (auto given = check_profile("encode_e4m3", profile); !given) return given;
    if (auto arrays = check_arrays("encode_e4m3", count, {{"x", x}, {"d", d}}); !arrays) {
      return arrays;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const Exact value = decode<f32>(source_bits(x, i, Dtype::f32));
      d[i] = static_cast<std::uint8_t>(encode_element(value, Dtype::e4m3, profile->profile));
    }
    return {};
  });
}

}  // extern "C"
