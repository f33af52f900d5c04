#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/diagnosis/page_models.hpp"

namespace harness {
namespace {

using oracle::PageLayout;

// Pages read by a kernel that thinks they have another layout: each with what `change` makes of its
// own.
template <class Change>
PageModel as_layout(std::string_view fault_class, std::string variant, const PageScene& of,
                    Change change) {
  PageModel model{fault_class, std::move(variant), {}, {}};
  std::vector<PageLayout> others = of.layouts();
  for (PageLayout& other : others) change(other);
  model.source = [others = std::move(others)](const PageScene& scene, const PageJob& job, int token,
                                              int element) {
    const PageLayout& other = others[static_cast<std::size_t>(job.head / scene.heads_of_plane())];
    return ElementSource{job.codes_base + other.code_offset(token, element),
                         other.nibble_shift(element),
                         job.scales_base + other.scale_offset(token, other.group_of(element))};
  };
  return model;
}

// Element e of a token has the code of element `from(e)`.
template <class From>
PageModel with_codes_of(std::string_view fault_class, std::string variant, From from) {
  PageModel model{fault_class, std::move(variant), {}, {}};
  model.source = [from](const PageScene& scene, const PageJob& job, int token, int element) {
    ElementSource source = right_source(scene, job, token, element);
    const int other = from(element);
    source.code_byte = job.codes_base + scene.layout(job.head).code_offset(token, other);
    source.code_shift = scene.layout(job.head).nibble_shift(other);
    return source;
  };
  return model;
}

// The scale lies at byte `at(token, element)` of the scale section.
template <class At>
PageModel with_scale_bytes(std::string_view fault_class, std::string variant, At at) {
  PageModel model{fault_class, std::move(variant), {}, {}};
  model.source = [at](const PageScene& scene, const PageJob& job, int token, int element) {
    ElementSource source = right_source(scene, job, token, element);
    source.scale_byte =
        job.scales_base + scene.layout().scale_section_offset() + at(token, element);
    return source;
  };
  return model;
}

// The scale is that of number `at(token, element)`, token by token, wherever the layout has it.
template <class At>
PageModel with_scales_at(std::string_view fault_class, std::string variant, At at) {
  PageModel model{fault_class, std::move(variant), {}, {}};
  model.source = [at](const PageScene& scene, const PageJob& job, int token, int element) {
    const PageLayout& layout = scene.layout(job.head);
    const int groups = layout.groups_per_token();
    const int number = at(token, element);
    ElementSource source = right_source(scene, job, token, element);
    source.scale_byte =
        job.scales_base + (number < layout.num_tokens * groups
                               ? layout.scale_offset(number / groups, number % groups)
                               : layout.scale_section_offset() + number);
    return source;
  };
  return model;
}

template <class Drops>
PageModel with_zero_codes(std::string variant, Drops drops) {
  PageModel model{"second_element_of_pair_zero", std::move(variant), {}, {}};
  model.source = [drops](const PageScene& scene, const PageJob& job, int token, int element) {
    ElementSource source = right_source(scene, job, token, element);
    source.zero_code = drops(element);
    return source;
  };
  return model;
}

void add_code_orders(std::vector<PageModel>& models, const PageScene& scene) {
  const PageLayout& layout = scene.layout();
  models.push_back(as_layout("nibble_order_swapped", "even elements come from high nibbles", scene,
                             [](PageLayout& swapped) {
                               swapped.nibble_order =
                                   swapped.nibble_order == oracle::NibbleOrder::even_low
                                       ? oracle::NibbleOrder::even_high
                                       : oracle::NibbleOrder::even_low;
                             }));
  for (const int word : {4, 8, 16, 32}) {
    models.push_back(
        with_codes_of("word_order_reversed", fmt::format("each {} codes come in reverse", word),
                      [word](int e) { return e / word * word + word - 1 - e % word; }));
  }
  for (const int bytes : {2, 4, 8, 16}) {
    models.push_back(
        with_codes_of("word_order_reversed",
                      fmt::format("each {} bytes of codes come in reverse", bytes), [bytes](int e) {
                        const int word = 2 * bytes;
                        return e / word * word + (bytes - 1 - e % word / 2) * 2 + e % 2;
                      }));
  }
  models.push_back(with_zero_codes("odd elements are read as 0", [](int e) { return e % 2 == 1; }));
  models.push_back(
      with_zero_codes("even elements are read as 0", [](int e) { return e % 2 == 0; }));
  const int block = layout.scale_block_size;
  models.push_back(with_codes_of("group_term_missing_in_data_index",
                                 "every group has the codes of the first",
                                 [block](int e) { return e % block; }));
  models.push_back(
      as_layout("preshuffled_tile_order", "codes lie in tiles of 16 tokens by 16 bytes", scene,
                [](PageLayout& tiled) { tiled.code_order = oracle::CodeOrder::tiles_16x16; }));
  const int tokens = layout.num_tokens;
  PageModel columns{
      "preshuffled_tile_order", "codes lie in columns of 16 bytes of all tokens", {}, {}};
  columns.source = [tokens](const PageScene& scene, const PageJob& job, int token, int element) {
    ElementSource source = right_source(scene, job, token, element);
    const int byte = element / 2;
    source.code_byte = job.codes_base + scene.layout().code_section_offset() +
                       byte / 16 * (tokens * 16) + token * 16 + byte % 16;
    return source;
  };
  models.push_back(std::move(columns));
}

// The classes of pages whose scales are read in an order that is not theirs.
struct OrderFault {
  oracle::ScaleOrder order;
  std::string_view fault_class;
  std::string_view says;
};
constexpr std::array order_faults{
    OrderFault{oracle::ScaleOrder::swizzle_128x4, "scale_swizzled_128x4",
               "scales lie in tiles of 128 tokens by 4"},
    OrderFault{oracle::ScaleOrder::quads, "value_scale_4_token_interleave",
               "the scales of 4 tokens lie interleaved"},
    OrderFault{oracle::ScaleOrder::linear, "scale_order_linear", "scales lie token by token"}};

void add_scale_orders(std::vector<PageModel>& models, const PageScene& scene) {
  const PageLayout& layout = scene.layout();
  const int groups = layout.groups_per_token();
  const int block = layout.scale_block_size;
  const int dim = layout.head_dim;
  const auto linear = [groups](int token, int group) { return token * groups + group; };

  constexpr std::string_view off_by_one = "scale_index_off_by_one_element";
  models.push_back(with_scales_at(off_by_one,
                                  "the last element of a group has the next group's scale",
                                  [=](int t, int e) { return linear(t, (e + 1) / block); }));
  models.push_back(with_scales_at(
      off_by_one, "the last element of a group but the page's last has the next group's scale",
      [=](int t, int e) {
        const bool last = t == layout.num_tokens - 1 && e == dim - 1;
        return linear(t, last ? groups - 1 : (e + 1) / block);
      }));
  models.push_back(with_scales_at(
      off_by_one, "the last element of a group but the token's last has the next group's scale",
      [=](int t, int e) { return linear(t, e == dim - 1 ? groups - 1 : (e + 1) / block); }));
  models.push_back(
      with_scales_at(off_by_one, "the last two elements of a group have the next group's scale",
                     [=](int t, int e) { return linear(t, (e / 2 * 2 + 2) / block); }));
  models.push_back(with_scales_at(
      off_by_one, "the first element of a group but the token's first has the last group's scale",
      [=](int t, int e) { return linear(t, e == 0 ? 0 : (e - 1) / block); }));

  constexpr std::string_view one_for_all = "scale_group_zero_for_all";
  models.push_back(with_scales_at(one_for_all, "every group has the scale of the token's first",
                                  [=](int t, int /*e*/) { return linear(t, 0); }));
  models.push_back(with_scales_at(one_for_all, "every token has the scales of the first token",
                                  [=](int /*t*/, int e) { return e / block; }));
  models.push_back(with_scales_at(one_for_all, "every element has the first scale of the page",
                                  [](int /*t*/, int /*e*/) { return 0; }));
  models.push_back(with_scales_at(one_for_all, "the number of the token is taken for the group's",
                                  [](int t, int /*e*/) { return t; }));
  models.push_back(with_scales_at(one_for_all, "scales are read as [groups, tokens]",
                                  [=](int t, int e) { return e / block * layout.num_tokens + t; }));

  constexpr std::string_view other_size = "group_size_of_the_other_format";
  for (const int size : {8, 16, 32, 64}) {
    if (size == block) continue;
    models.push_back(with_scales_at(other_size, fmt::format("{} elements share a scale", size),
                                    [=](int t, int e) { return linear(t, e / size); }));
    models.push_back(with_scales_at(
        other_size, fmt::format("{} elements share a scale, in rows of {}", size, dim / size),
        [=](int t, int e) { return t * (dim / size) + e / size; }));
  }

  for (const OrderFault& fault : order_faults) {
    const bool is_right =
        std::all_of(scene.layouts().begin(), scene.layouts().end(),
                    [&](const PageLayout& plane) { return plane.scale_order == fault.order; });
    if (is_right) continue;
    models.push_back(as_layout(fault.fault_class, std::string(fault.says), scene,
                               [&](PageLayout& other) { other.scale_order = fault.order; }));
  }
  // The way back: (t, s) at (t/4*4 + s/(S/4), s%(S/4)*4 + t%4).
  const int columns = groups / 4;
  models.push_back(with_scales_at("value_scale_4_token_interleave",
                                  "the scales of 4 tokens are taken for interleaved",
                                  [=](int t, int e) {
                                    const int s = e / block;
                                    return linear(t / 4 * 4 + s / columns, s % columns * 4 + t % 4);
                                  }));
}

void add_sections(std::vector<PageModel>& models, const PageScene& scene) {
  const PageLayout& layout = scene.layout();
  models.push_back(as_layout(
      "scales_before_data", "scales lie before the codes of the page", scene,
      [](PageLayout& other) { other.section_order = oracle::SectionOrder::scales_first; }));

  // A page of fewer tokens: either only the scales are looked for behind the codes of so many, or
  // the page is cut into such pages.
  for (const int tokens : {64, 32, 16, 8, 4, 2, 1}) {
    const std::string_view name =
        tokens >= 16 ? "page_size_mismatch" : "head_and_block_dims_confused";
    const int code_bytes = layout.code_bytes_per_token();
    const int shift = tokens * code_bytes - layout.scale_section_offset();
    models.push_back(with_scale_bytes(
        name, fmt::format("scales are read behind the codes of {} tokens", tokens),
        [=](int t, int e) { return shift + t * layout.groups_per_token() + layout.group_of(e); }));
    PageLayout part = layout;
    part.num_tokens = tokens;
    PageModel cut{name, fmt::format("the page is read as pages of {} tokens", tokens), {}, {}};
    cut.source = [part](const PageScene&, const PageJob& job, int token, int element) {
      const std::int64_t base = std::int64_t{token / part.num_tokens} * part.page_bytes();
      const int within = token % part.num_tokens;
      return ElementSource{
          job.codes_base + base + part.code_offset(within, element), part.nibble_shift(element),
          job.scales_base + base + part.scale_offset(within, part.group_of(element))};
    };
    models.push_back(std::move(cut));
  }
  // Rows of codes and scales together, as the shape [tokens, bytes per token] suggests.
  PageModel rows{"scales_before_data", "each token's codes and scales lie together", {}, {}};
  rows.source = [](const PageScene& scene, const PageJob& job, int token, int element) {
    const PageLayout& of = scene.layout();
    const std::int64_t row = std::int64_t{token} * of.bytes_per_token();
    return ElementSource{job.codes_base + row + element / 2, of.nibble_shift(element),
                         job.scales_base + row + of.code_bytes_per_token() + of.group_of(element)};
  };
  models.push_back(std::move(rows));
}

void add_missing_scales(std::vector<PageModel>& models) {
  PageModel model{"scale_plane_not_copied", "every scale is read as 00", {}, {}};
  model.source = [](const PageScene& scene, const PageJob& job, int token, int element) {
    ElementSource source = right_source(scene, job, token, element);
    source.scale_byte = PageScene::zero_page;
    return source;
  };
  models.push_back(std::move(model));
}

}  // namespace

ElementSource right_source(const PageScene& scene, const PageJob& job, int token, int element) {
  const PageLayout& layout = scene.layout(job.head);
  return {job.codes_base + layout.code_offset(token, element), layout.nibble_shift(element),
          job.scales_base + layout.scale_offset(token, layout.group_of(element))};
}

std::vector<PageModel> layout_models(const PageScene& scene) {
  std::vector<PageModel> models;
  add_code_orders(models, scene);
  add_scale_orders(models, scene);
  add_sections(models, scene);
  add_missing_scales(models);
  return models;
}

std::vector<PageModel> offset_models(const PageLayout& layout) {
  std::vector<PageModel> models;
  const auto shifted = [&](std::string_view name, int codes, int scales) {
    PageModel model{name,
                    fmt::format("{} are read {} bytes {}", codes != 0 ? "codes" : "scales",
                                std::abs(codes + scales), codes + scales > 0 ? "later" : "earlier"),
                    {},
                    {}};
    model.source = [=](const PageScene& scene, const PageJob& job, int token, int element) {
      ElementSource source = right_source(scene, job, token, element);
      source.code_byte += codes;
      source.scale_byte += scales;
      return source;
    };
    models.push_back(std::move(model));
  };
  for (int bytes = 1; bytes <= layout.code_bytes_per_token(); ++bytes) {
    for (const int sign : {1, -1}) {
      shifted("code_offset_wrong", sign * bytes, 0);
      if (bytes <= 2 * layout.scale_bytes_per_token() || bytes % 8 == 0) {
        shifted("scale_offset_wrong", 0, sign * bytes);
      }
    }
  }
  return models;
}

}  // namespace harness
