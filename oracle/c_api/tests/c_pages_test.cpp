// The C page operations write the bytes that the exact oracle writes, touch nothing else, and
// refuse what breaks the contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "fp4cts/oracle.h"
#include "oracle/blocks/quantize.hpp"
#include "oracle/c_api/tests/open_profile.hpp"
#include "oracle/pages/gather.hpp"

namespace oracle {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

Bytes varied_bytes(std::size_t count) {
  Bytes bytes(count);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

// A tensor of the C interface over a container, and the same as a view of the oracle's.
template <class Element>
struct Both {
  Both(std::vector<Element> given, Dtype kind, Extents extents, Extents steps = {})
      : elements(std::move(given)),
        dtype(kind),
        shape(std::move(extents)),
        strides(steps.empty() ? contiguous_strides(shape) : std::move(steps)) {}

  fp4cts_oracle_tensor tensor() {
    return {elements.data(),
            elements.size() * sizeof(Element),
            0,
            static_cast<std::int32_t>(dtype),
            static_cast<std::int32_t>(shape.size()),
            shape.data(),
            strides.data()};
  }
  TensorView view() {
    return {{reinterpret_cast<std::uint8_t*>(elements.data()), elements.size() * sizeof(Element)},
            dtype,
            shape,
            strides,
            0};
  }

  std::vector<Element> elements;
  Dtype dtype;
  Extents shape;
  Extents strides;
};

struct GatherCall {
  Both<std::int32_t> table{{2, 0, 1, 9, 2, 9}, Dtype::i32, {2, 3}};
  Both<std::int32_t> counts{{3, 0}, Dtype::i32, {2}};
  Both<std::int32_t> offsets{{1, 0}, Dtype::i32, {2}};

  fp4cts_oracle_gather c_arguments(fp4cts_oracle_tensor pages, fp4cts_oracle_tensor out) {
    return {sizeof(fp4cts_oracle_gather),
            pages,
            table.tensor(),
            counts.tensor(),
            offsets.tensor(),
            3,
            out};
  }
  GatherArguments arguments(const TensorView& pages, const TensorView& out) {
    return {pages, table.view(), counts.view(), offsets.view(), 3, out};
  }
};

TEST(CPagesTest, Nvfp4GatherWritesTheBytesOfTheExactOracleAndNoOthers) {
  GatherCall call;
  Both<std::uint8_t> pages(varied_bytes(3 * 9300), Dtype::u8, {3, 128, 72}, {9300, 72, 1});
  Both<std::uint8_t> out(Bytes(5 * 16384, 0xa5), Dtype::e4m3, {5, 128, 128});
  Both<std::uint8_t> expected = out;
  const OpenProfile ocp("ocp");
  const fp4cts_oracle_gather c = call.c_arguments(pages.tensor(), out.tensor());
  ASSERT_EQ(fp4cts_oracle_nvfp4_gather_index_k(ocp.get(), &c), FP4CTS_ORACLE_OK)
      << fp4cts_oracle_error();
  ASSERT_TRUE(nvfp4_gather_index_k(call.arguments(pages.view(), expected.view()), profiles::ocp()));
  EXPECT_EQ(out.elements, expected.elements);
  EXPECT_EQ(Bytes(out.elements.begin(), out.elements.begin() + 16384), Bytes(16384, 0xa5));
}

TEST(CPagesTest, Mxfp4GatherAndDecodeAreTheExactOraclesInEveryDestination) {
  const OpenProfile shift23("shift23");
  for (const auto& [c_dtype, dtype] : {std::pair{FP4CTS_ORACLE_E4M3, Dtype::e4m3},
                                       {FP4CTS_ORACLE_F32, Dtype::f32},
                                       {FP4CTS_ORACLE_BF16, Dtype::bf16},
                                       {FP4CTS_ORACLE_F16, Dtype::f16}}) {
    ASSERT_EQ(c_dtype, static_cast<int>(dtype));
    GatherCall call;
    Both<std::uint8_t> pages(varied_bytes(3 * 2 * 8704), Dtype::u8, {3, 2, 8704});
    const std::size_t page_bytes = 16384 * size_of(dtype);
    Both<std::uint8_t> out(Bytes(5 * 2 * page_bytes, 0xa5), dtype, {5, 2, 128, 128});
    Both<std::uint8_t> expected = out;
    const fp4cts_oracle_gather c = call.c_arguments(pages.tensor(), out.tensor());
    ASSERT_EQ(fp4cts_oracle_mxfp4_gather_pages(shift23.get(), &c), FP4CTS_ORACLE_OK);
    ASSERT_TRUE(
        mxfp4_gather_pages(call.arguments(pages.view(), expected.view()), profiles::shift23()));
    EXPECT_EQ(out.elements, expected.elements);

    Both<std::uint8_t> decoded(Bytes(3 * 2 * page_bytes), dtype, {3, 2, 128, 128});
    Both<std::uint8_t> wanted = decoded;
    const fp4cts_oracle_tensor from = pages.tensor();
    const fp4cts_oracle_tensor to = decoded.tensor();
    ASSERT_EQ(fp4cts_oracle_mxfp4_decode_pages(shift23.get(), &from, &to), FP4CTS_ORACLE_OK);
    ASSERT_TRUE(mxfp4_decode_pages(pages.view(), wanted.view(), profiles::shift23()));
    EXPECT_EQ(decoded.elements, wanted.elements);
  }
}

TEST(CPagesTest, WritersWriteTheBytesOfTheExactOracle) {
  const OpenProfile ocp("ocp");
  std::vector<float> values(3 * 128);
  std::iota(values.begin(), values.end(), -100.0F);
  Both<float> rows(values, Dtype::f32, {3, 128});
  Both<std::int64_t> slots({5, -1, 130}, Dtype::i64, {3});
  Both<std::uint8_t> cache(Bytes(2 * 9216, 0xa5), Dtype::u8, {2, 128, 72});
  Both<std::uint8_t> expected = cache;
  const fp4cts_oracle_tensor from = rows.tensor();
  const fp4cts_oracle_tensor where = slots.tensor();
  fp4cts_oracle_tensor to = cache.tensor();
  ASSERT_EQ(fp4cts_oracle_nvfp4_write_index_k(ocp.get(), &from, &where, &to), FP4CTS_ORACLE_OK);
  ASSERT_TRUE(nvfp4_write_index_k({rows.view(), slots.view(), expected.view()}, profiles::ocp()));
  EXPECT_EQ(cache.elements, expected.elements);

  Both<std::uint8_t> pages(Bytes(2 * 8704, 0xa5), Dtype::u8, {2, 8704});
  Both<std::uint8_t> wanted = pages;
  to = pages.tensor();
  ASSERT_EQ(fp4cts_oracle_mxfp4_write_pages(ocp.get(), &from, &where, &to), FP4CTS_ORACLE_OK);
  ASSERT_TRUE(mxfp4_write_pages({rows.view(), slots.view(), wanted.view()}, profiles::ocp()));
  EXPECT_EQ(pages.elements, wanted.elements);
}

TEST(CPagesTest, ABrokenContractIsNamedAndNothingIsWritten) {
  const OpenProfile ocp("ocp");
  GatherCall call;
  Both<std::uint8_t> pages(varied_bytes(2 * 9216), Dtype::u8, {2, 128, 72});
  Both<std::uint8_t> out(Bytes(5 * 16384, 0xa5), Dtype::e4m3, {5, 128, 128});
  fp4cts_oracle_gather c = call.c_arguments(pages.tensor(), out.tensor());
  EXPECT_EQ(fp4cts_oracle_nvfp4_gather_index_k(ocp.get(), &c), FP4CTS_ORACLE_OUT_OF_RANGE);
  EXPECT_THAT(fp4cts_oracle_error(), HasSubstr("block_table[0][0]"));
  EXPECT_EQ(out.elements, Bytes(5 * 16384, 0xa5));
  c.out.dtype = 77;
  EXPECT_EQ(fp4cts_oracle_nvfp4_gather_index_k(ocp.get(), &c), FP4CTS_ORACLE_WRONG_DTYPE);
  c.out.rank = 99;
  c.out.dtype = FP4CTS_ORACLE_E4M3;
  EXPECT_EQ(fp4cts_oracle_nvfp4_gather_index_k(ocp.get(), &c), FP4CTS_ORACLE_WRONG_SHAPE);
  c.struct_bytes = 8;
  EXPECT_EQ(fp4cts_oracle_nvfp4_gather_index_k(ocp.get(), &c), FP4CTS_ORACLE_INVALID_ARGUMENT);
  EXPECT_EQ(fp4cts_oracle_nvfp4_gather_index_k(nullptr, &c), FP4CTS_ORACLE_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace oracle
