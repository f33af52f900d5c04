// What a mutant makes of a call.
#include <algorithm>
#include <cstring>

#include "oracle/blocks/quantize.hpp"
#include "oracle/pages/fast.hpp"
#include "properties/faults/extent_mutants.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Outputs;
using harness::Problem;

// A mutant at work on one call. False: a launch or an access that fails.
class Work {
 public:
  Work(const Mutant& mutant, const Problem& call, const Outputs& expected)
      : mutant_(mutant), call_(call), expected_(expected) {}

  // Whether the bytes are wrong, or there are none.
  bool is_seen() {
    if (mutant_.shows) return mutant_.shows(call_);
    outputs_.clear();
    for (const harness::Tensor& tensor : call_.tensors) {
      if (tensor.role == harness::Role::output) outputs_.push_back(tensor.storage);
    }
    bool done = false;
    if (call_.find("rows") != nullptr) {
      done = write();
    } else if (call_.find("out") != nullptr) {
      done = decode();
    } else {
      done = words();
    }
    return !done || outputs_ != expected_;
  }

 private:
  std::int64_t of(Quantity quantity, std::int64_t value) {
    if (quantity != mutant_.quantity) return value;
    if (mutant_.kind.grid != 0 && value > mutant_.kind.grid) failed_ = true;
    return mutant_.kind.spoil ? mutant_.kind.spoil(value) : value;
  }
  static bool holds(const harness::Tensor& tensor, std::int64_t byte, std::int64_t count) {
    return byte >= 0 && byte + count <= static_cast<std::int64_t>(tensor.storage.size());
  }

  bool words() {
    const auto count = call_.tensors.front().shape[0];
    const std::int64_t done = of(Quantity::words, count);
    if (failed_ || done < 0 || done > count) return false;
    const auto width = static_cast<std::size_t>(harness::element_bytes(call_.tensors.back().dtype));
    std::copy_n(expected_[0].begin(), static_cast<std::size_t>(done) * width, outputs_[0].begin());
    return true;
  }

  bool decode() {
    const harness::Tensor& pool = pool_of(call_);
    const harness::Tensor& out = *call_.find("out");
    const harness::Tensor* const table = call_.find("block_table");
    const oracle::PoolLayout& form = *reader_of(call_.operation).pool;
    const std::int64_t planes = form.num_planes();
    const std::size_t outer = pool.shape.size() - static_cast<std::size_t>(form.num_inner_axes());
    const bool has_heads = outer == (planes > 1 ? 3U : 2U);
    const std::int64_t all_heads = has_heads ? pool.shape[outer - 1] : 1;
    const std::int64_t heads = of(Quantity::heads, all_heads);
    const std::int64_t requests = of(Quantity::requests, table != nullptr ? table->shape[0] : 1);
    const std::int64_t bound =
        of(Quantity::bound, table != nullptr ? call_.scalars.at("max_num_pages") : pool.shape[0]);
    const std::int64_t all_blocks = of(Quantity::blocks, requests * bound * heads);
    const auto page_out = static_cast<std::int64_t>(decoded_bytes(call_));
    if (failed_) return false;
    for (std::int64_t r = 0; r < requests; ++r) {
      const std::int64_t count =
          table != nullptr ? i32_at(*call_.find("num_pages"), r) : pool.shape[0];
      const std::int64_t offset =
          table != nullptr ? of(Quantity::page_offset, i32_at(*call_.find("page_offsets"), r)) : 0;
      const std::int64_t width =
          of(Quantity::table_width, table != nullptr ? table->shape[1] : INT64_MAX);
      const std::int64_t most = std::min({bound, of(Quantity::request_pages, count), width});
      for (std::int64_t p = 0; p < most; ++p) {
        if ((r * bound + p) * heads >= all_blocks) return true;
        std::int64_t id = p;
        if (table != nullptr) {
          const std::int64_t byte =
              of(Quantity::table_byte, 4 * (r * of(Quantity::table_stride, table->strides[0]) + p));
          if (failed_ || !holds(*table, byte, 4)) return false;
          std::int32_t entry = 0;
          std::memcpy(&entry, table->storage.data() + byte, 4);
          id = entry;
        }
        id = of(Quantity::page_id, id);
        for (std::int64_t side = 0; side < planes * heads; ++side) {
          const std::int64_t plane = side / heads;
          const std::int64_t h = side % heads;
          const std::int64_t inside =
              (planes > 1 ? plane * of(Quantity::plane_stride, pool.strides[1]) : 0) +
              (has_heads ? h * of(Quantity::head_stride, pool.strides[outer - 1]) : 0);
          const std::int64_t source =
              pool.origin_bytes +
              of(Quantity::source_byte, id * of(Quantity::page_stride, pool.strides[0]) + inside);
          const std::int64_t written = (((offset + p) * planes + plane) * all_heads + h) * page_out;
          const std::int64_t output = out.origin_bytes + of(Quantity::output_byte, written);
          const oracle::PageLayout& layout = form.layout(plane);
          if (failed_ || !holds(pool, source, layout.page_bytes()) ||
              !holds(out, output, page_out)) {
            return false;
          }
          fast().decode_page(
              layout,
              std::span(pool.storage)
                  .subspan(static_cast<std::size_t>(source),
                           static_cast<std::size_t>(layout.page_bytes())),
              harness_dtype(),
              std::span(outputs_[0])
                  .subspan(static_cast<std::size_t>(output), static_cast<std::size_t>(page_out)));
        }
      }
    }
    return true;
  }

  // Rows come with the bytes that are right for them, written where the mutant has their page.
  bool write() {
    const harness::Tensor& source = *call_.find("rows");
    const harness::Tensor& slots = *call_.find("slot_mapping");
    const harness::Tensor& pool = call_.tensors.back();
    const bool has_heads = source.shape.size() == 3;
    const std::int64_t all_heads = has_heads ? source.shape[1] : 1;
    const std::int64_t heads = of(Quantity::heads, all_heads);
    const std::int64_t tokens = of(Quantity::rows, source.shape[0]);
    const std::int64_t blocks_of = of(Quantity::blocks, tokens * heads);
    const auto width = static_cast<std::int64_t>(harness::element_bytes(source.dtype));
    if (failed_ || tokens < 0) return false;
    for (std::int64_t row = 0; row < tokens; ++row) {
      std::int64_t slot = 0;
      std::memcpy(&slot, slots.storage.data() + 8 * row, 8);
      if (slot < 0) continue;
      const std::int64_t stated = row * source.strides[0] * width;
      // A row that is read elsewhere has other codes.
      if (row * of(Quantity::row_stride, source.strides[0] * width) != stated) return false;
      for (std::int64_t h = 0; h < heads; ++h) {
        if (row * heads + h >= blocks_of) return true;
        const std::int64_t right_page = slot / 128 * pool.strides[0];
        const std::int64_t right_head = has_heads ? h * pool.strides[1] : 0;
        const std::int64_t from = pool.origin_bytes + right_page + right_head;
        const std::int64_t to =
            pool.origin_bytes +
            of(Quantity::source_byte,
               of(Quantity::page_id, slot / 128) * of(Quantity::page_stride, pool.strides[0]) +
                   (has_heads ? h * of(Quantity::head_stride, pool.strides[1]) : 0));
        if (failed_ || !holds(pool, to, layout().page_bytes())) return false;
        const auto token = static_cast<int>(slot % 128);
        const std::uint8_t* const right = expected_[0].data() + from;
        std::uint8_t* const made = outputs_[0].data() + to;
        for (int e = 0; e < layout().head_dim; ++e) {
          layout().set_code(made, token, e, layout().code(right, token, e));
          const int group = layout().group_of(e);
          layout().set_scale(made, token, group, layout().scale(right, token, group));
        }
      }
    }
    return true;
  }

  // Of what a writer writes.
  const oracle::PageLayout& layout() const {
    const bool nvfp4 = call_.operation == oracle::writers::nvfp4_write_index_k.name;
    return (nvfp4 ? oracle::writers::nvfp4_write_index_k : oracle::writers::mxfp4_write_pages)
        .pool->layout();
  }
  oracle::Dtype harness_dtype() const {
    switch (call_.find("out")->dtype) {
      case harness::DType::f32:
        return oracle::Dtype::f32;
      case harness::DType::bf16:
        return oracle::Dtype::bf16;
      case harness::DType::f16:
        return oracle::Dtype::f16;
      default:
        return oracle::Dtype::e4m3;
    }
  }
  static const oracle::FastOracle& fast() {
    static const oracle::FastOracle oracle(oracle::profiles::ocp());
    return oracle;
  }

  const Mutant& mutant_;
  const Problem& call_;
  const Outputs& expected_;
  Outputs outputs_;
  bool failed_ = false;
};

}  // namespace

bool is_seen(const Mutant& mutant, const Problem& call, const Outputs& expected) {
  return Work(mutant, call, expected).is_seen();
}

}  // namespace properties
