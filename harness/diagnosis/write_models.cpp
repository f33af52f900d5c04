#include "harness/diagnosis/write_models.hpp"

#include <algorithm>
#include <cstring>

#include "harness/diagnosis/write_diagnosis.hpp"
#include "oracle/numbers/ieee.hpp"

namespace harness {
namespace {

using oracle::FormatSpec;
using oracle::QuantizedRow;
using Row = std::vector<std::uint32_t>;
namespace ieee = oracle::ieee;

// How a row is made, and which page layout and move it is written by.
using MakeRow = std::function<QuantizedRow(const Row&)>;

std::vector<std::uint8_t> write_all(const WriteScene& scene, const oracle::PageLayout& layout,
                                    const MakeRow& make,
                                    const std::function<std::int64_t(const oracle::RowMove&)>& at) {
  const Tensor& pool = *scene.problem.find(scene.form.pool().name);
  std::vector<std::uint8_t> storage = pool.storage;
  const auto page_bytes = static_cast<std::int64_t>(layout.page_bytes());
  for (const oracle::RowMove& move : scene.plan.moves) {
    const std::int64_t begin = pool.origin_bytes + at(move);
    if (begin < 0 || begin + page_bytes > static_cast<std::int64_t>(storage.size())) continue;
    oracle::write_token(layout,
                        std::span(storage).subspan(static_cast<std::size_t>(begin),
                                                   static_cast<std::size_t>(page_bytes)),
                        move.slot.token, make(row_of(scene.problem, scene.plan, move)));
  }
  return storage;
}

std::vector<std::uint8_t> write_rows(const WriteScene& scene, const MakeRow& make) {
  return write_all(scene, scene.plan.layout, make,
                   [](const oracle::RowMove& move) { return move.page_bytes; });
}

// One scale block by a function of its elements: scale, then codes under it.
struct BlockSteps {
  std::function<std::uint32_t(std::span<const std::uint32_t>)> amax;
  std::function<std::uint8_t(std::uint32_t amax)> scale;
  std::function<std::uint8_t(std::uint32_t x, std::uint8_t scale, std::uint32_t amax)> code;
};

BlockSteps steps_of(const oracle::Profile& profile, const FormatSpec& format) {
  if (format == oracle::e4m3::spec) {
    const oracle::Nvfp4Rule rule = profile.nvfp4_writer;
    return {[rule](auto elements) { return oracle::block_amax(elements, rule.nan_in_amax); },
            [rule](std::uint32_t amax) { return oracle::nvfp4_scale(amax, rule); },
            [rule](std::uint32_t x, std::uint8_t scale, std::uint32_t amax) {
              return oracle::nvfp4_code(x, scale, amax, rule);
            }};
  }
  const oracle::Mxfp4Rule rule = profile.mxfp4_writer;
  return {[rule](auto elements) { return oracle::block_amax(elements, rule.nan_in_amax); },
          [rule](std::uint32_t amax) { return oracle::mxfp4_scale(amax, rule); },
          [rule](std::uint32_t x, std::uint8_t scale, std::uint32_t) {
            return oracle::mxfp4_code(x, scale, rule);
          }};
}

QuantizedRow by_steps(const oracle::PageLayout& layout, const Row& row, const BlockSteps& steps) {
  QuantizedRow made{std::vector<std::uint8_t>(row.size()), {}};
  const auto size = static_cast<std::size_t>(layout.scale_block_size);
  for (std::size_t begin = 0; begin < row.size(); begin += size) {
    const std::uint32_t amax = steps.amax(std::span(row).subspan(begin, size));
    const std::uint8_t scale = steps.scale(amax);
    made.scales.push_back(scale);
    for (std::size_t i = begin; i < begin + size; ++i) {
      made.codes[i] = steps.code(row[i], scale, amax);
    }
  }
  return made;
}

class Models {
 public:
  explicit Models(const WriteScene& scene)
      : scene_(scene),
        format_(scene.plan.layout.scale_format),
        right_(steps_of(scene.profile, format_)) {}

  std::vector<WriteModel> take() {
    rules();
    scales();
    codes();
    places();
    return std::move(models_);
  }

 private:
  void add(std::string_view fault_class, std::string variant,
           std::function<std::vector<std::uint8_t>()> pool) {
    models_.push_back({fault_class, std::move(variant), std::move(pool)});
  }
  void add_row(std::string_view fault_class, std::string variant, MakeRow make) {
    add(fault_class, std::move(variant),
        [this_scene = &scene_, make = std::move(make)] { return write_rows(*this_scene, make); });
  }
  void add_steps(std::string_view fault_class, std::string variant, const BlockSteps& steps) {
    add_row(fault_class, std::move(variant), [steps, layout = scene_.plan.layout](const Row& row) {
      return by_steps(layout, row, steps);
    });
  }

  void rules() {
    for (OtherRule& other : other_rules(scene_.form, scene_.profile)) {
      add_row(other.fault_class, "the rule has " + other.axis,
              [profile = std::move(other.profile), layout = scene_.plan.layout](const Row& row) {
                return oracle::quantize_row(layout, row, profile);
              });
    }
  }

  void scales() {
    BlockSteps steps = right_;
    steps.amax = [right = right_.amax](auto elements) {
      const std::uint32_t amax = right(elements);
      if (ieee::magnitude(amax) >= ieee::f32_infinity) return amax;
      return (amax + 0x7fffU + (amax >> 16 & 1U)) & 0xffff0000U;
    };
    add_steps("amax_narrowed_first", "amax is rounded to bf16 first", steps);

    steps = right_;
    steps.scale = [right = right_.scale, format = format_](std::uint32_t amax) -> std::uint8_t {
      return amax == 0 ? (format == oracle::e4m3::spec ? 0x7f : 0xff) : right(amax);
    };
    add_steps("zero_block_makes_nan_scale", "a block of zeros has a NaN for its scale", steps);

    if (format_ == oracle::e4m3::spec) {
      steps = right_;
      steps.scale = [right = right_.scale](std::uint32_t amax) -> std::uint8_t {
        // Six times 464, from where a cast that does not saturate gives NaN.
        return amax > 0x452e0000 && amax <= ieee::f32_infinity ? 0x7f : right(amax);
      };
      add_steps("scale_overflow_not_clamped", "an amax above 2784 has a NaN for its scale", steps);
      steps.scale = [right = right_.scale](std::uint32_t amax) -> std::uint8_t {
        const std::uint8_t scale = right(amax);
        return scale == 0x7e ? 0x7f : scale;
      };
      add_steps("scale_search_steps_into_nan", "the largest scale becomes NaN", steps);
    } else {
      steps = right_;
      steps.scale = [right = right_.scale](std::uint32_t amax) -> std::uint8_t {
        const std::uint8_t scale = right(amax);
        // ceil(log2 w) in f32: near 2^k the logarithm of the next few numbers is k itself.
        const std::uint32_t w = ieee::multiply(amax, ieee::f32_one_sixth, oracle::Round::rne);
        const int k = static_cast<int>(ieee::exponent_field(w)) - 127;
        int half = 0;  // of the distance of numbers near k, in units of 2^-23
        for (int size = k < 0 ? -k : k; size >= 4; size /= 2) half = half == 0 ? 2 : 2 * half;
        const std::uint32_t mantissa = ieee::mantissa_field(w);
        const bool lost =
            mantissa != 0 && mantissa * 1443 < static_cast<std::uint32_t>(half) * 1000;
        return lost && scale > 0 ? static_cast<std::uint8_t>(scale - 1) : scale;
      };
      add_steps("log2_based_ceiling", "just above a power of two the step up is lost", steps);
    }

    // The amax of two neighbouring blocks for both.
    add_row("wave_width_in_group_reduction", "two neighbouring blocks share the larger amax",
            [steps = right_, layout = scene_.plan.layout](const Row& row) {
              const auto size = static_cast<std::size_t>(layout.scale_block_size);
              BlockSteps paired = steps;
              std::size_t next = 0;
              paired.amax = [&row, &next, size, right = steps.amax](auto) {
                const std::size_t begin = next / 2 * 2 * size;
                ++next;
                return right(std::span(row).subspan(begin, std::min(2 * size, row.size() - begin)));
              };
              return by_steps(layout, row, paired);
            });
    add_row("scale_plane_left_zero", "scales are left zero",
            [right = scene_.profile, layout = scene_.plan.layout](const Row& row) {
              QuantizedRow made = oracle::quantize_row(layout, row, right);
              std::fill(made.scales.begin(), made.scales.end(), std::uint8_t{0});
              return made;
            });
  }

  void codes() {
    BlockSteps steps = right_;
    steps.code = [right = right_.code, format = format_](std::uint32_t x, std::uint8_t scale,
                                                         std::uint32_t amax) {
      const std::uint8_t code = right(x, scale, amax);
      const oracle::Exact value = format == oracle::e4m3::spec
                                      ? oracle::decode<oracle::e4m3>(scale)
                                      : oracle::decode<oracle::e8m0>(scale);
      if ((code & 7) != 6 || value.is_nan()) return code;
      const oracle::Exact four = oracle::multiply(value, oracle::Exact::finite(false, 4, 0));
      const bool carried =
          std::is_lt(oracle::compare_magnitude(oracle::decode<oracle::f32>(x), four));
      return carried ? static_cast<std::uint8_t>(code | 7) : code;
    };
    add_steps("e2m1_carry_saturates", "what rounds up to 4 becomes 6", steps);

    // Codes by the scale before it is rounded and stored.
    steps = right_;
    steps.code = [right = right_.code, format = format_, profile = scene_.profile](
                     std::uint32_t x, std::uint8_t scale, std::uint32_t amax) {
      const std::uint32_t exact = ieee::divide(amax, ieee::f32_six, oracle::Round::rne);
      if (amax == 0 || ieee::magnitude(amax) >= ieee::f32_infinity) return right(x, scale, amax);
      const oracle::Exact value =
          oracle::decode<oracle::f32>(ieee::divide(x, exact, oracle::Round::rne));
      return format == oracle::e4m3::spec
                 ? oracle::encode_e2m1(value,
                                       {profile.nvfp4_writer.ties, profile.nvfp4_writer.nan_code,
                                        profile.nvfp4_writer.negative_zero})
                 : oracle::encode_e2m1(value,
                                       {profile.mxfp4_writer.ties, profile.mxfp4_writer.nan_code,
                                        profile.mxfp4_writer.negative_zero});
    };
    add_steps("encode_and_store_different_scales", "codes are by amax / 6, not by what is stored",
              steps);
    add_row("nibble_order_swapped", "the odd element is in the low half",
            [right = scene_.profile, layout = scene_.plan.layout](const Row& row) {
              QuantizedRow made = oracle::quantize_row(layout, row, right);
              for (std::size_t i = 0; i + 1 < made.codes.size(); i += 2) {
                std::swap(made.codes[i], made.codes[i + 1]);
              }
              return made;
            });
  }

  void places() {
    const auto right_row = [profile = scene_.profile, layout = scene_.plan.layout](const Row& row) {
      return oracle::quantize_row(layout, row, profile);
    };
    const auto as_planned = [](const oracle::RowMove& move) { return move.page_bytes; };
    for (const auto& [order, fault_class, name] :
         {std::tuple{oracle::ScaleOrder::quads, "value_scale_4_token_interleave",
                     "scales lie in quads of tokens"},
          {oracle::ScaleOrder::swizzle_128x4, "scale_swizzled_128x4",
           "scales lie in tiles of 128 x 4"},
          {oracle::ScaleOrder::linear, "scale_order_linear", "scales lie token by token"}}) {
      oracle::PageLayout other = scene_.plan.layout;
      if (other.scale_order == order) continue;
      other.scale_order = order;
      if (!other.is_consistent()) continue;
      add(fault_class, name, [this_scene = &scene_, other, right_row, as_planned] {
        return write_all(*this_scene, other, right_row, as_planned);
      });
    }
    oracle::PageLayout scales_first = scene_.plan.layout;
    scales_first.section_order = oracle::SectionOrder::scales_first;
    add("scales_before_data", "scales lie before the codes",
        [this_scene = &scene_, scales_first, right_row, as_planned] {
          return write_all(*this_scene, scales_first, right_row, as_planned);
        });
    const Tensor& pool = *scene_.problem.find(scene_.form.pool().name);
    const std::int64_t dense = scene_.form.layout().page_bytes();
    add("strided_view_read_as_dense", "pages are taken to follow each other",
        [this_scene = &scene_, dense, right_row] {
          const Tensor& rows = *this_scene->problem.find("rows");
          const std::int64_t heads = rows.shape.size() == 3 ? rows.shape[1] : 1;
          return write_all(*this_scene, this_scene->plan.layout, right_row,
                           [&](const oracle::RowMove& move) {
                             return (move.slot.page_id * heads + move.head) * dense;
                           });
        });
    skipped_rows(pool);
  }

  // Rows of slot -1 written to slot 0.
  void skipped_rows(const Tensor& pool) {
    add("writer_slot_not_checked", "rows that are to be skipped go to slot 0",
        [this_scene = &scene_, &pool] {
          const Tensor& rows = *this_scene->problem.find("rows");
          const Tensor& slots = *this_scene->problem.find("slot_mapping");
          const oracle::PageLayout& layout = this_scene->plan.layout;
          std::vector<std::uint8_t> storage = write_rows(*this_scene, [&](const Row& row) {
            return oracle::quantize_row(layout, row, this_scene->profile);
          });
          if (pool.origin_bytes != 0) return storage;
          for (std::int64_t token = 0; token < rows.shape[0]; ++token) {
            std::int64_t slot = 0;
            std::memcpy(&slot, slots.storage.data() + token * 8, sizeof slot);
            if (slot != -1) continue;
            oracle::RowMove move;
            move.source_bytes =
                token * rows.strides[0] * static_cast<std::int64_t>(element_bytes(rows.dtype));
            oracle::write_token(
                layout, std::span(storage).first(static_cast<std::size_t>(layout.page_bytes())), 0,
                oracle::quantize_row(layout, row_of(this_scene->problem, this_scene->plan, move),
                                     this_scene->profile));
          }
          return storage;
        });
  }

  const WriteScene& scene_;
  FormatSpec format_;
  BlockSteps right_;
  std::vector<WriteModel> models_;
};

}  // namespace

std::vector<WriteModel> write_models(const WriteScene& scene) { return Models(scene).take(); }

}  // namespace harness
