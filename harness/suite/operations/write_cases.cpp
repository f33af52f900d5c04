#include "harness/suite/operations/write_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "harness/suite/operations/case_list.hpp"
#include "harness/suite/operations/lattice.hpp"
#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/write_rows.hpp"

namespace harness {
namespace {

constexpr std::array sources{DType::f32, DType::f16, DType::bf16};

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

std::int64_t blocks_for(const WriteForm& form, std::int64_t tokens) {
  return std::max<std::int64_t>(1,
                                (tokens + form.layout().num_tokens - 1) / form.layout().num_tokens);
}

// A spec of all recipes, each once.
WriteSpec all_recipes(const WriteForm& form, DType dtype) {
  WriteSpec spec;
  spec.dtype = dtype;
  const auto groups = static_cast<std::size_t>(form.layout().groups_per_token());
  spec.tokens = static_cast<std::int64_t>((recipes(form.layout()).size() + groups - 1) / groups);
  spec.num_blocks = blocks_for(form, spec.tokens);
  return spec;
}

WriteSpec random_rows(const WriteForm& form, DType dtype, std::int64_t tokens, std::uint64_t seed) {
  WriteSpec spec;
  spec.dtype = dtype;
  spec.contents = RowContent::random;
  spec.seed = seed;
  spec.tokens = tokens;
  spec.num_blocks = blocks_for(form, tokens);
  return spec;
}

// A call in which one extent of the lattice is as large as is wanted; none where it follows from
// others.
std::optional<WriteSpec> write_extent_spec(const WriteForm& form, Measure measure,
                                           std::int64_t value) {
  WriteSpec spec = random_rows(form, DType::bf16, 2, 46);
  const std::int64_t page = form.layout().page_bytes();
  const std::int64_t stride = std::max((value + 7) / 8 * 8, page);
  const auto in_page = [&](std::int64_t id) {
    spec.num_blocks = id + 1;
    spec.slot_kind = SlotKind::list;
    spec.slots = {id * form.layout().num_tokens + 3, id * form.layout().num_tokens};
  };
  switch (measure) {
    case Measure::rows:
      spec.tokens = value;
      spec.slot_kind = SlotKind::ends;
      break;
    case Measure::heads:
      spec.heads = value;
      break;
    case Measure::pairs: {
      const auto [heads, tokens] = factors_of(value);
      spec = random_rows(form, DType::bf16, tokens, 46);
      spec.heads = heads;
      break;
    }
    case Measure::page_id:
      in_page(value);
      break;
    case Measure::page_stride:
      in_page(3);
      spec.page_stride_bytes = stride;
      break;
    case Measure::head_stride:
      spec.heads = 2;
      spec.head_stride_bytes = stride;
      break;
    case Measure::row_stride: {
      const auto width = static_cast<std::int64_t>(element_bytes(spec.dtype));
      spec.row_stride_elements =
          std::max((value + 15) / 16 * 16 / width, std::int64_t{form.layout().head_dim});
      break;
    }
    default:
      return std::nullopt;
  }
  return spec;
}

class Cases {
 public:
  Cases(const WriteForm& form, Level level, std::uint64_t seed)
      : form_(form), seed_(seed), list_(form.name(), level, [&form](const nlohmann::json& json) {
          const auto spec = write_spec_from_json(form, json);
          return spec ? write_bytes(form, *spec) : 0;
        }) {}

  std::vector<Case> take() {
    values();
    counts();
    slots();
    strides();
    volume();
    extents();
    return list_.take();
  }

 private:
  void add(Level level, const std::string& id, std::vector<std::string> tags, std::string comment,
           const WriteSpec& spec) {
    list_.add(level, id, std::move(tags), std::move(comment), to_json(spec));
  }

  void values() {
    for (const DType dtype : sources) {
      const WriteSpec spec = all_recipes(form_, dtype);
      add(dtype == DType::f32 ? Level::smoke : Level::standard,
          fmt::format("recipes_{}", lower(name_of(dtype))), {"values"},
          fmt::format("every block at which rules of scale and rounding part, in {}",
                      name_of(dtype)),
          spec);
      for (const std::uint8_t fill : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
        WriteSpec filled = spec;
        filled.fill = fill;
        add(Level::full, fmt::format("recipes_{}_over_{:02x}", lower(name_of(dtype)), fill),
            {"values", "memory"}, fmt::format("the same over pages that hold {:02x}", fill),
            filled);
      }
      WriteSpec bits = random_rows(form_, dtype, 130, 11);
      bits.distribution = Distribution::uniform;
      add(Level::standard, fmt::format("uniform_bits_{}", lower(name_of(dtype))), {"values"},
          "all bits of the source alike: NaN, infinities and subnormals among them", bits);
      WriteSpec everyday = random_rows(form_, dtype, 128, 12);
      everyday.distribution = Distribution::everyday;
      add(Level::standard, fmt::format("everyday_{}", lower(name_of(dtype))), {"values"},
          "magnitudes as activations have them", everyday);
    }
  }

  void counts() {
    for (const std::int64_t tokens : {0, 1, 2, 15, 16, 17, 31, 33, 127, 128, 129, 257}) {
      add(Level::standard, fmt::format("tokens_{}", tokens), {"tail"},
          fmt::format("{} rows: one short of, at and past what a warp, a page and a block hold",
                      tokens),
          random_rows(form_, sources[static_cast<std::size_t>(tokens) % 3], tokens, 21));
    }
    add(Level::standard, "tokens_1000", {"tail"}, "1,000 rows over eight pages",
        random_rows(form_, DType::bf16, 1000, 22));
    add(Level::full, "tokens_8193", {"tail", "volume"}, "8,193 rows: one past 64 pages",
        random_rows(form_, DType::bf16, 8193, 23));
  }

  void slots() {
    WriteSpec spec = random_rows(form_, DType::bf16, 100, 31);
    spec.num_blocks = 3;
    const auto with = [&](SlotKind kind, const char* id, const char* comment) {
      WriteSpec other = spec;
      other.slot_kind = kind;
      add(Level::standard, id, {"slots"}, comment, other);
    };
    with(SlotKind::scattered, "slots_scattered",
         "slots all over three pages, each page many times");
    with(SlotKind::reversed, "slots_reversed", "from the last slot of the pool down");
    with(SlotKind::padded, "slots_padded",
         "every third row is skipped: -1 writes nothing, not slot 0 and not the one before");
    with(SlotKind::skipped, "slots_all_skipped", "no row is written");
    WriteSpec listed = random_rows(form_, DType::f32, 6, 32);
    listed.num_blocks = 2;
    listed.slot_kind = SlotKind::list;
    listed.slots = {-1, 127, 128, -1, 255, 0};
    add(Level::standard, "slots_at_the_ends", {"slots"},
        "the first and last slots of pages, skipped rows between and in front", listed);
    WriteSpec quad = random_rows(form_, DType::f16, 4, 33);
    quad.slot_kind = SlotKind::list;
    quad.slots = {5, 6, 34, 66};
    add(Level::standard, "slots_of_a_quad", {"slots"},
        "parts of a quad of tokens and of a tile: the scales of the others stay", quad);
    // Pages of whose pools the first byte past 2^31 is a part, and ids that 16 bits cut.
    for (const auto& [id, page] : {std::pair{"page_65537", std::int64_t{65537}},
                                   {"page_past_2_31", std::int64_t{246725}},
                                   {"page_past_2_32", std::int64_t{493450}},
                                   {"page_2_24", (std::int64_t{1} << 24) + 1}}) {
      WriteSpec far = random_rows(form_, DType::bf16, 3, 34);
      far.num_blocks = page + 1;
      far.slot_kind = SlotKind::list;
      far.slots = {page * form_.layout().num_tokens, page * form_.layout().num_tokens + 127, -1};
      add(Level::standard, id, {"offsets"},
          fmt::format("slots of page {}: ids, slots and byte offsets past 16 and 32 bits", page),
          far);
    }
  }

  void strides() {
    const std::int64_t page = form_.layout().page_bytes();
    WriteSpec padded = random_rows(form_, DType::f32, 300, 41);
    padded.page_stride_bytes = page + 72;
    add(Level::standard, "page_stride_padded", {"strides"}, "pages 72 bytes further apart", padded);
    padded.page_stride_bytes = 8 * page;
    add(Level::standard, "page_stride_of_layers", {"strides"},
        "pages of one of eight layers in one pool", padded);
    WriteSpec rows = random_rows(form_, DType::bf16, 40, 42);
    rows.row_stride_elements = 576;
    add(Level::standard, "row_stride", {"strides"}, "rows that are parts of longer ones", rows);
    if (!form_.has_heads()) return;
    for (const std::int64_t heads : {1, 2, 4, 8}) {
      WriteSpec many = random_rows(form_, sources[static_cast<std::size_t>(heads) % 3], 70, 43);
      many.heads = heads;
      many.slot_kind = SlotKind::scattered;
      add(Level::standard, fmt::format("heads_{}", heads), {"heads"},
          "each row has a page for each head", many);
    }
    WriteSpec outermost = random_rows(form_, DType::f32, 200, 44);
    outermost.heads = 2;
    outermost.page_stride_bytes = page;
    outermost.head_stride_bytes = 2 * page;
    add(Level::standard, "heads_outermost", {"heads", "strides"},
        "all pages of one head before those of the next", outermost);
    WriteSpec wide = random_rows(form_, DType::bf16, 3, 45);
    wide.heads = 257;
    add(Level::full, "heads_257", {"heads"}, "more heads than a byte counts", wide);
  }

  void volume() {
    for (std::uint64_t i = 0; i < 3; ++i) {
      WriteSpec spec = random_rows(form_, sources[i], 500, mix64(seed_, i) >> 1);
      spec.slot_kind = SlotKind::scattered;
      spec.num_blocks = 7;
      add(Level::full, fmt::format("random_{}", i), {"values", "random"},
          "random rows and slots from the run's seed", spec);
    }
  }

  void extents() {
    for (const LatticeAxis& axis : lattice_of(form_.name())) {
      for (const Boundary& boundary : boundaries_with_cases(axis)) {
        const auto spec = write_extent_spec(form_, axis.measure, boundary.past);
        if (!spec) continue;
        add(boundary.level, extent_case(axis, boundary), {"extents"},
            extent_comment(axis, boundary), *spec);
      }
    }
  }

  const WriteForm& form_;
  std::uint64_t seed_;
  CaseList list_;
};

}  // namespace

std::vector<Case> write_cases(const WriteForm& form, Level level, std::uint64_t seed) {
  return Cases(form, level, seed).take();
}

nlohmann::json random_write_spec(const WriteForm& form, std::uint64_t seed) {
  Random random(mix64(seed));
  if (random.one_in(16)) {
    const LatticeAxis& axis = random.pick(lattice_of(form.name()));
    const auto large = write_extent_spec(form, axis.measure, random_extent(axis, random));
    if (large && write_spec_from_json(form, to_json(*large))) return to_json(*large);
  }
  WriteSpec spec =
      random_rows(form, random.pick(sources), random.between(0, 40), random.bits() >> 1);
  if (random.one_in(8)) spec.tokens = random.between(0, 300);
  if (random.one_in(4)) spec.distribution = Distribution::uniform;
  if (form.has_heads() && random.one_in(2)) spec.heads = random.between(1, 4);
  spec.num_blocks = blocks_for(form, spec.tokens) + random.between(0, 2);
  spec.slot_kind =
      random.pick(std::array{SlotKind::ordered, SlotKind::reversed, SlotKind::scattered,
                             SlotKind::scattered, SlotKind::padded});
  spec.slot_seed = random.bits() >> 1;
  if (random.one_in(30)) spec.slot_kind = SlotKind::skipped;
  if (random.one_in(12) && spec.heads == 0 && spec.tokens > 0) {
    // One page, wherever in a pool of up to 2^33 bytes.
    const std::int64_t page = std::int64_t{1} << random.between(13, 19);
    spec.num_blocks = page + random.between(1, page);
    spec.slot_kind = SlotKind::list;
    for (std::int64_t i = 0; i < spec.tokens; ++i) {
      spec.slots.push_back(
          i < form.layout().num_tokens ? (spec.num_blocks - 1) * form.layout().num_tokens + i : -1);
    }
  }
  const std::int64_t page = form.layout().page_bytes();
  if (random.one_in(2)) {
    spec.page_stride_bytes = spec.heads_or_one() * page + 8 * random.between(0, 40);
  }
  if (random.one_in(3)) {
    spec.row_stride_elements =
        spec.heads_or_one() * form.layout().head_dim + 8 * random.between(0, 20);
  }
  if (random.one_in(2)) spec.fill = random.byte();
  return to_json(spec);
}

std::vector<nlohmann::json> smaller_write_specs(const WriteForm& form, const nlohmann::json& json) {
  const auto read = write_spec_from_json(form, json);
  if (!read) return {};
  std::vector<nlohmann::json> smaller;
  const auto propose = [&](const WriteSpec& candidate) {
    nlohmann::json made = to_json(candidate);
    if (made != json && write_spec_from_json(form, made)) smaller.push_back(std::move(made));
  };
  const std::vector<std::int64_t> slots = slots_of(form, *read);
  // Rows [first, first + count) with the slots that they have.
  const auto window = [&](std::int64_t first, std::int64_t count) {
    WriteSpec part = *read;
    part.first += first;
    part.tokens = count;
    part.slot_kind = SlotKind::list;
    part.slots.assign(slots.begin() + first, slots.begin() + first + count);
    propose(part);
  };
  if (read->tokens > 1) {
    window(0, read->tokens / 2);
    window(read->tokens / 2, read->tokens - read->tokens / 2);
  }
  WriteSpec plain = *read;
  plain.page_stride_bytes = plain.head_stride_bytes = plain.row_stride_elements = 0;
  plain.fill = WriteSpec{}.fill;
  propose(plain);
  if (read->slot_kind != SlotKind::ordered && read->tokens == 1) {
    plain.slot_kind = SlotKind::ordered;
    plain.slots.clear();
    plain.num_blocks = 1;
    propose(plain);
  }
  // One row of one head, stated.
  if (read->tokens == 1 && read->contents != RowContent::values) {
    WriteSpec stated = *read;
    const Problem problem = write_problem(form, *read);
    const std::size_t width = element_bytes(read->dtype);
    const auto count = static_cast<std::size_t>(read->heads_or_one() * form.layout().head_dim);
    stated.contents = RowContent::values;
    stated.first = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, problem.tensors[0].storage.data() + i * width, width);
      stated.values.push_back(bits);
    }
    propose(stated);
  }
  // One block of a stated row at a time keeps its elements.
  if (read->tokens == 1 && read->contents == RowContent::values) {
    const auto size = static_cast<std::size_t>(form.layout().scale_block_size);
    for (std::size_t begin = 0; begin + size <= read->values.size(); begin += size) {
      WriteSpec without = *read;
      std::fill(without.values.begin() + static_cast<std::ptrdiff_t>(begin),
                without.values.begin() + static_cast<std::ptrdiff_t>(begin + size), 0U);
      propose(without);
    }
  }
  return smaller;
}

}  // namespace harness
