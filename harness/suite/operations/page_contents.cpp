#include "harness/suite/operations/page_contents.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/model/zeros_on_demand.hpp"
#include "harness/suite/operations/named_pages.hpp"
#include "harness/suite/operations/random.hpp"

namespace harness {
namespace {

using oracle::PageLayout;

// Slot s of the page (token-major, then group) has scale byte s % 256, and its elements run through
// all 16 codes, begun at a rotation that changes after every 256 slots and from page to page. So a
// page holds every pair, at slots/256 places of the scale block, and 16 / (slots/256) pages hold
// every pair at every place.
void fill_exhaustive(const PageLayout& layout, std::uint64_t number, std::uint8_t* page) {
  const int groups = layout.groups_per_token();
  const int turns = std::max(1, layout.num_tokens * groups / 256);
  for (int token = 0; token < layout.num_tokens; ++token) {
    for (int element = 0; element < layout.head_dim; ++element) {
      const int group = layout.group_of(element);
      const int slot = token * groups + group;
      const auto rotation = static_cast<int>(number % 16) * turns + slot / 256;
      const int place = element % layout.scale_block_size;
      layout.set_code(page, token, element, static_cast<std::uint8_t>((place + rotation) % 16));
      layout.set_scale(page, token, group, static_cast<std::uint8_t>(slot % 256));
    }
  }
}

// Codes are nonzero (a zero would hide its scale), of either sign.
void fill_layout(const PageLayout& layout, std::uint64_t seed, std::uint64_t number,
                 std::uint8_t* page) {
  const ScaleRange scales = separating_scales(layout.scale_format);
  const auto in_range = static_cast<std::uint64_t>(scales.last - scales.first) + 1;
  const std::uint64_t key = mix64(seed, number);
  for (int offset = 0; offset < layout.page_bytes(); ++offset) {
    const std::uint64_t hash = mix64(key, static_cast<std::uint64_t>(offset));
    if (layout.place(offset).section == oracle::PageSection::scales) {
      page[offset] = static_cast<std::uint8_t>(scales.first + hash % in_range);
    } else {
      const auto nonzero = [](std::uint64_t h) { return 1 + h % 7 + 8 * ((h >> 32) & 1); };
      page[offset] = static_cast<std::uint8_t>(nonzero(hash) | nonzero(hash >> 8) << 4);
    }
  }
}

void fill_random(const PageLayout& layout, const Contents& contents, std::uint64_t number,
                 std::uint8_t* page) {
  Random random(mix64(contents.seed, number));
  const int codes_begin = layout.code_section_offset();
  for (int byte = 0; byte < layout.code_section_bytes(); byte += 8) {
    const std::uint64_t bits = random.bits();
    std::memcpy(page + codes_begin + byte, &bits, 8);
  }
  const int scales_begin = layout.scale_section_offset();
  for (int byte = 0; byte < layout.scale_section_bytes(); ++byte) {
    page[scales_begin + byte] = random_scale(layout.scale_format, contents.distribution, random);
  }
}

void apply_keep(const PageLayout& layout, const Keep& keep, std::uint8_t* page) {
  const auto kept = [](int index, std::int64_t first, std::int64_t count) {
    return index >= first && index < first + count;
  };
  for (int token = 0; token < layout.num_tokens; ++token) {
    const bool token_kept = kept(token, keep.first_token, keep.tokens);
    for (int group = 0; group < layout.groups_per_token(); ++group) {
      bool any = false;
      for (int i = 0; i < layout.scale_block_size; ++i) {
        const int element = group * layout.scale_block_size + i;
        if (token_kept && kept(element, keep.first_element, keep.elements)) {
          any = true;
        } else {
          layout.set_code(page, token, element, unit_code);
        }
      }
      if (!any) layout.set_scale(page, token, group, unit_scale(layout.scale_format));
    }
  }
}

// Pages of the pool that get contents.
std::vector<bool> filled_pages(const PageSpec& spec) {
  std::vector<bool> filled(static_cast<std::size_t>(spec.pool.pages),
                           !spec.pool.contents.only_named);
  if (!spec.pool.contents.only_named) return filled;
  for (const CallSpec& call : spec.calls) {
    for (const std::vector<std::int64_t>& row : named_page_numbers(spec, call)) {
      for (const std::int64_t page : row) filled[static_cast<std::size_t>(page)] = true;
    }
  }
  return filled;
}

}  // namespace

void fill_page(const PageLayout& layout, const Contents& contents, std::uint64_t number,
               std::span<std::uint8_t> page) {
  switch (contents.kind) {
    case ContentKind::exhaustive:
      fill_exhaustive(layout, number, page.data());
      break;
    case ContentKind::layout:
      fill_layout(layout, contents.seed, number, page.data());
      break;
    case ContentKind::probe:
      for (int offset = 0; offset < layout.page_bytes(); ++offset) {
        page[static_cast<std::size_t>(offset)] =
            layout.place(offset).section == oracle::PageSection::codes
                ? contents.codes
                : contents.scale.value_or(unit_scale(layout.scale_format));
      }
      break;
    case ContentKind::random:
      fill_random(layout, contents, number, page.data());
      break;
    case ContentKind::named:
      break;
  }
}

Result<std::vector<std::uint8_t>> pool_storage(const oracle::PoolLayout& of, const PageSpec& spec) {
  const PoolSpec& pool = spec.pool;
  const PageLayout& layout = of.layout();
  if (pool.pages == 0) return std::vector<std::uint8_t>{};
  const auto page_bytes = static_cast<std::size_t>(layout.page_bytes());
  const auto stride = static_cast<std::size_t>(pool.stride_bytes);
  const auto plane_stride = static_cast<std::size_t>(pool.plane_stride_bytes);
  const auto head_stride = static_cast<std::size_t>(pool.head_stride_bytes);
  const auto pages = static_cast<std::size_t>(pool.pages);
  const auto planes = static_cast<std::size_t>(of.num_planes());
  const auto heads = static_cast<std::size_t>(pool.heads);
  std::span<const std::uint8_t> named;
  if (pool.contents.kind == ContentKind::named) {
    auto found = named_pages(layout, pool.contents.name);
    if (!found) return tl::make_unexpected(found.error());
    named = *found;
  }

  const std::size_t stored =
      (pages - 1) * stride + (planes - 1) * plane_stride + (heads - 1) * head_stride + page_bytes;
  std::vector<std::uint8_t> storage = pool.contents.only_named
                                          ? zeros_on_demand(stored)
                                          : std::vector<std::uint8_t>(stored, pool.padding);
  const std::vector<bool> filled = filled_pages(spec);
  for (std::size_t page = 0; page < pages; ++page) {
    if (!filled[page]) continue;
    for (std::size_t side = 0; side < planes * heads; ++side) {
      const std::size_t number = pool.contents.first_number + page * planes * heads + side;
      const PageLayout& own = of.layout(static_cast<std::int64_t>(side / heads));
      const std::span<std::uint8_t> bytes = std::span(storage).subspan(
          page * stride + side / heads * plane_stride + side % heads * head_stride, page_bytes);
      if (named.empty()) {
        fill_page(own, pool.contents, number, bytes);
      } else {
        const std::size_t from = number % (named.size() / page_bytes) * page_bytes;
        std::copy_n(named.begin() + static_cast<std::ptrdiff_t>(from), page_bytes, bytes.begin());
      }
      if (pool.contents.keep) apply_keep(own, *pool.contents.keep, bytes.data());
    }
  }
  for (const Poke& poke : pool.contents.pokes) {
    std::copy(poke.bytes.begin(), poke.bytes.end(),
              storage.begin() +
                  static_cast<std::ptrdiff_t>(static_cast<std::size_t>(poke.page) * stride) +
                  poke.byte);
  }
  return storage;
}

}  // namespace harness
