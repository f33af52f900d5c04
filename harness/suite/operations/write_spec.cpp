#include "harness/suite/operations/write_spec.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "harness/model/zeros_on_demand.hpp"
#include "harness/suite/operations/random.hpp"
#include "harness/suite/operations/spec_reader.hpp"
#include "harness/suite/operations/write_rows.hpp"

namespace harness {
namespace {

constexpr std::int64_t max_tokens = std::int64_t{1} << 20;
constexpr std::int64_t max_heads = 1 << 17;
constexpr std::int64_t max_blocks = std::int64_t{1} << 27;  // 2^34 slots; x max_stride: 2^61
constexpr std::int64_t max_stride = std::int64_t{1} << 34;

constexpr std::array<std::pair<RowContent, std::string_view>, 3> row_kinds{
    {{RowContent::recipes, "recipes"},
     {RowContent::random, "random"},
     {RowContent::values, "values"}}};
constexpr std::array<std::pair<SlotKind, std::string_view>, 6> slot_kinds{
    {{SlotKind::ordered, "ordered"},
     {SlotKind::reversed, "reversed"},
     {SlotKind::scattered, "scattered"},
     {SlotKind::padded, "padded"},
     {SlotKind::skipped, "skipped"},
     {SlotKind::ends, "ends"}}};
constexpr std::array<std::pair<DType, std::string_view>, 3> source_dtypes{
    {{DType::f32, "F32"}, {DType::f16, "F16"}, {DType::bf16, "BF16"}}};

std::int64_t dense_head_stride(const WriteForm& form, const WriteSpec& spec) {
  return spec.head_stride_bytes != 0 ? spec.head_stride_bytes : form.layout().page_bytes();
}

std::int64_t page_stride(const WriteForm& form, const WriteSpec& spec) {
  return spec.page_stride_bytes != 0 ? spec.page_stride_bytes
                                     : spec.heads_or_one() * form.layout().page_bytes();
}

std::int64_t row_stride(const WriteForm& form, const WriteSpec& spec) {
  return spec.row_stride_elements != 0 ? spec.row_stride_elements
                                       : spec.heads_or_one() * form.layout().head_dim;
}

// Elements of all rows, from the first to the last.
std::int64_t row_elements_of(const WriteForm& form, const WriteSpec& spec) {
  if (spec.tokens == 0) return 0;
  return (spec.tokens - 1) * row_stride(form, spec) + spec.heads_or_one() * form.layout().head_dim;
}

// Pages that are stored: from the first that a slot names to the last; page 0 where none is named.
struct Window {
  std::int64_t first = 0;
  std::int64_t pages = 0;
};
Window stored_pages(const WriteForm& form, const WriteSpec& spec) {
  constexpr std::int64_t small = std::int64_t{64} << 20;
  if (spec.num_blocks <= 4096 && spec.num_blocks * page_stride(form, spec) <= small) {
    return {0, spec.num_blocks};
  }
  std::int64_t first = INT64_MAX;
  std::int64_t last = -1;
  for (const std::int64_t slot : slots_of(form, spec)) {
    if (slot < 0) continue;
    first = std::min(first, slot / form.layout().num_tokens);
    last = std::max(last, slot / form.layout().num_tokens);
  }
  return last < 0 ? Window{0, 1} : Window{first, last - first + 1};
}

std::int64_t pool_bytes(const WriteForm& form, const WriteSpec& spec, std::int64_t pages) {
  if (pages == 0) return 0;
  return (pages - 1) * page_stride(form, spec) +
         (spec.heads_or_one() - 1) * dense_head_stride(form, spec) + form.layout().page_bytes();
}

std::vector<std::uint32_t> values_in(SpecReader& reader, DType dtype, std::size_t row) {
  std::vector<std::uint32_t> values;
  const nlohmann::json& list = reader.value("values");
  const std::size_t digits = 2 * element_bytes(dtype);
  if (!list.is_array()) {
    reader.fault("values", fmt::format("expected an array of hex numbers, got {}", describe(list)));
    return values;
  }
  for (const nlohmann::json& item : list) {
    const std::vector<std::uint8_t> bytes = item.is_string()
                                                ? bytes_from_hex(item.get_ref<const std::string&>())
                                                : std::vector<std::uint8_t>{};
    if (2 * bytes.size() != digits) {
      reader.fault("values", fmt::format("expected hex numbers of {} digits, got {}", digits,
                                         describe(item)));
      return values;
    }
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    values.push_back(value);
  }
  if (values.empty() || values.size() % row != 0) {
    reader.fault("values",
                 fmt::format("expected whole rows of {} numbers, got {}", row, values.size()));
  }
  return values;
}

void read_slots(SpecReader& reader, WriteSpec& spec) {
  const nlohmann::json* stated = reader.optional_value("slots");
  if (stated == nullptr) return;
  if (stated->is_array()) {
    spec.slot_kind = SlotKind::list;
    spec.slots = reader.integers("slots", -1, INT64_MAX);
    if (static_cast<std::int64_t>(spec.slots.size()) != spec.tokens) {
      reader.fault("slots", fmt::format("expected {} of them, as \"tokens\" says, got {}",
                                        spec.tokens, spec.slots.size()));
    }
    return;
  }
  SpecReader slots(*stated, "slots");
  spec.slot_kind = slots.word("kind", EnumNames<SlotKind>(slot_kinds));
  if (spec.slot_kind == SlotKind::scattered) spec.slot_seed = slots.seed_or("seed", 1);
  reader.adopt("slots", slots.done());
}

void check_strides(SpecReader& reader, const WriteForm& form, const WriteSpec& spec) {
  const std::int64_t page = form.layout().page_bytes();
  const auto require = [&](bool holds, const char* key, std::string_view what, std::int64_t got) {
    if (!holds) reader.fault(key, fmt::format("expected {}, got {}", what, got));
  };
  const std::int64_t heads = spec.heads_or_one();
  const std::int64_t head_stride = dense_head_stride(form, spec);
  const std::int64_t stride = page_stride(form, spec);
  require(head_stride >= page && head_stride % 8 == 0, "head_stride",
          fmt::format("a multiple of 8 from {} on", page), head_stride);
  require(stride >= page && stride % 8 == 0, "page_stride",
          fmt::format("a multiple of 8 from {} on", page), stride);
  const bool heads_inside = stride >= (heads - 1) * head_stride + page;
  const bool pages_inside = head_stride >= (spec.num_blocks - 1) * stride + page;
  require(heads_inside || pages_inside || heads == 1 || spec.num_blocks == 1, "page_stride",
          "pages that do not overlap", stride);
  const std::int64_t row = heads * form.layout().head_dim;
  const std::int64_t aligned = 16 / static_cast<std::int64_t>(element_bytes(spec.dtype));
  require((row_stride(form, spec) >= row || row_stride(form, spec) == 0) &&
              row_stride(form, spec) % aligned == 0,
          "row_stride", fmt::format("a multiple of {} from {} on", aligned, row),
          row_stride(form, spec));
}

void check_slots(SpecReader& reader, const WriteForm& form, const WriteSpec& spec) {
  const std::int64_t capacity = spec.num_blocks * form.layout().num_tokens;
  const bool states_few = spec.slot_kind == SlotKind::skipped || spec.slot_kind == SlotKind::list ||
                          spec.slot_kind == SlotKind::ends;
  if (!states_few && spec.tokens > capacity) {
    reader.fault("tokens",
                 fmt::format("expected at most {}, the slots of \"num_blocks\" pages, got {}",
                             capacity, spec.tokens));
    return;
  }
  std::vector<std::int64_t> used;
  for (const std::int64_t slot : spec.slots) {
    if (slot >= capacity) {
      reader.fault("slots", fmt::format("expected -1 or slots below {}, got {}", capacity, slot));
      return;
    }
    if (slot >= 0) used.push_back(slot);
  }
  std::sort(used.begin(), used.end());
  if (const auto twice = std::adjacent_find(used.begin(), used.end()); twice != used.end()) {
    reader.fault("slots", fmt::format("expected a slot for each row, got {} twice", *twice));
  }
}

}  // namespace

Result<WriteSpec> write_spec_from_json(const WriteForm& form, const nlohmann::json& json) {
  SpecReader reader(json, "spec");
  WriteSpec spec;
  spec.dtype = reader.word("dtype", EnumNames<DType>(source_dtypes));
  spec.tokens = reader.integer("tokens", 0, max_tokens);
  if (form.has_heads()) spec.heads = reader.integer_or("heads", 0, max_heads, 0);
  spec.num_blocks = reader.integer("num_blocks", 1, max_blocks);
  spec.first = reader.integer_or("first", 0, max_tokens, 0);
  SpecReader contents(reader.value("contents"), "contents");
  spec.contents = contents.word("kind", EnumNames<RowContent>(row_kinds));
  if (spec.contents == RowContent::random) {
    spec.seed = contents.seed_or("seed", spec.seed);
    spec.distribution = contents.word_or("distribution", distribution_names(), spec.distribution);
  }
  if (spec.contents == RowContent::values) {
    spec.values = values_in(contents, spec.dtype, static_cast<std::size_t>(form.layout().head_dim));
  }
  reader.adopt("contents", contents.done());
  read_slots(reader, spec);
  spec.page_stride_bytes = reader.integer_or("page_stride", 0, max_stride, 0);
  if (form.has_heads()) spec.head_stride_bytes = reader.integer_or("head_stride", 0, max_stride, 0);
  spec.row_stride_elements = reader.integer_or("row_stride", 0, max_stride, 0);
  spec.fill = reader.byte_or("fill", spec.fill);
  check_strides(reader, form, spec);
  check_slots(reader, form, spec);
  if (Result<void> done = reader.done(); !done) return tl::make_unexpected(done.error());
  return spec;
}

nlohmann::json to_json(const WriteSpec& spec) {
  nlohmann::json json;
  json["dtype"] = word_of(EnumNames<DType>(source_dtypes), spec.dtype);
  json["tokens"] = spec.tokens;
  json["num_blocks"] = spec.num_blocks;
  if (spec.heads != 0) json["heads"] = spec.heads;
  if (spec.first != 0) json["first"] = spec.first;
  nlohmann::json& contents = json["contents"];
  contents["kind"] = word_of(EnumNames<RowContent>(row_kinds), spec.contents);
  if (spec.contents == RowContent::random) {
    contents["seed"] = spec.seed;
    contents["distribution"] = word_of(distribution_names(), spec.distribution);
  }
  if (spec.contents == RowContent::values) {
    contents["values"] = nlohmann::json::array();
    for (const std::uint32_t value : spec.values) {
      contents["values"].push_back(fmt::format("{:0{}x}", value, 2 * element_bytes(spec.dtype)));
    }
  }
  if (spec.slot_kind == SlotKind::list) {
    json["slots"] = spec.slots;
  } else {
    json["slots"]["kind"] = word_of(EnumNames<SlotKind>(slot_kinds), spec.slot_kind);
    if (spec.slot_kind == SlotKind::scattered) json["slots"]["seed"] = spec.slot_seed;
  }
  if (spec.page_stride_bytes != 0) json["page_stride"] = spec.page_stride_bytes;
  if (spec.head_stride_bytes != 0) json["head_stride"] = spec.head_stride_bytes;
  if (spec.row_stride_elements != 0) json["row_stride"] = spec.row_stride_elements;
  if (spec.fill != WriteSpec{}.fill) json["fill"] = fmt::format("{:02x}", spec.fill);
  return json;
}

std::vector<std::int64_t> slots_of(const WriteForm& form, const WriteSpec& spec) {
  if (spec.slot_kind == SlotKind::list) return spec.slots;
  const auto count = static_cast<std::size_t>(spec.tokens);
  std::vector<std::int64_t> slots(count, -1);
  std::int64_t written = 0;  // of `ends`: at most 48, fewer than one page has
  const std::int64_t capacity = spec.num_blocks * form.layout().num_tokens;
  const auto scattered = spec.slot_kind == SlotKind::scattered && capacity <= max_tokens
                             ? permutation(static_cast<std::size_t>(capacity), spec.slot_seed)
                             : std::vector<std::uint32_t>{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i);
    switch (spec.slot_kind) {
      case SlotKind::ordered:
      case SlotKind::list:
        slots[i] = at;
        break;
      case SlotKind::reversed:
        slots[i] = capacity - 1 - at;
        break;
      case SlotKind::scattered:
        slots[i] = scattered.empty() ? capacity - 1 - at : scattered[i];
        break;
      case SlotKind::padded:
        slots[i] = i % 3 == 2 ? -1 : at;
        break;
      case SlotKind::ends: {
        const auto index = static_cast<std::uint64_t>(i);
        const bool end = i < 2 || i + 6 >= count;
        if (end || std::has_single_bit(index) || std::has_single_bit(index + 1)) {
          slots[i] = written++;
        }
        break;
      }
      case SlotKind::skipped:
        break;
    }
  }
  return slots;
}

std::uint64_t untouched_bytes(const WriteForm& form, const WriteSpec& spec) {
  constexpr std::uint64_t machine_pages = 8192;  // at both ends of a row
  const std::uint64_t width = element_bytes(spec.dtype);
  const std::uint64_t all = static_cast<std::uint64_t>(row_elements_of(form, spec)) * width;
  if (all < sparse_bytes) return 0;
  const auto row = static_cast<std::uint64_t>(spec.heads_or_one() * form.layout().head_dim) * width;
  return all - std::min(all, static_cast<std::uint64_t>(spec.tokens) * (row + machine_pages));
}

std::uint64_t write_bytes(const WriteForm& form, const WriteSpec& spec) {
  const auto rows =
      static_cast<std::uint64_t>(row_elements_of(form, spec)) * element_bytes(spec.dtype);
  const auto pool =
      static_cast<std::uint64_t>(pool_bytes(form, spec, stored_pages(form, spec).pages));
  return rows + pool + static_cast<std::uint64_t>(spec.tokens) * sizeof(std::int64_t);
}

Problem write_problem(const WriteForm& form, const WriteSpec& spec) {
  const oracle::PageLayout& layout = form.layout();
  const std::size_t width = element_bytes(spec.dtype);
  Problem problem;
  problem.operation = form.name();

  Tensor rows;
  rows.name = "rows";
  rows.dtype = spec.dtype;
  rows.shape = {spec.tokens};
  rows.strides = {row_stride(form, spec)};
  if (spec.heads != 0) {
    rows.shape.push_back(spec.heads);
    rows.strides.push_back(layout.head_dim);
  }
  rows.shape.push_back(layout.head_dim);
  rows.strides.push_back(1);
  const std::size_t row_bytes = static_cast<std::size_t>(row_elements_of(form, spec)) * width;
  const bool sparse = row_bytes >= sparse_bytes;
  rows.storage = sparse ? zeros_on_demand(row_bytes) : std::vector<std::uint8_t>(row_bytes, 0xc3);
  const std::vector<std::int64_t> mapping = slots_of(form, spec);
  for (std::int64_t token = 0; token < spec.tokens; ++token) {
    const bool skipped = mapping[static_cast<std::size_t>(token)] < 0;
    if (spec.slot_kind == SlotKind::ends && skipped) continue;
    for (std::int64_t head = 0; head < spec.heads_or_one(); ++head) {
      const std::int64_t at = token * row_stride(form, spec) + head * layout.head_dim;
      write_row(layout, spec, (spec.first + token) * spec.heads_or_one() + head,
                std::span(rows.storage).subspan(static_cast<std::size_t>(at) * width));
    }
  }
  rows.misalignment_bytes = flush_misalignment(rows.storage.size());
  problem.tensors.push_back(std::move(rows));

  Tensor slots;
  slots.name = "slot_mapping";
  slots.dtype = DType::i64;
  slots.shape = {spec.tokens};
  slots.strides = {1};
  slots.storage.resize(mapping.size() * sizeof(std::int64_t));
  if (!mapping.empty()) std::memcpy(slots.storage.data(), mapping.data(), slots.storage.size());
  slots.misalignment_bytes = flush_misalignment(slots.storage.size());
  problem.tensors.push_back(std::move(slots));

  Tensor pool;
  pool.name = form.pool().name;
  pool.role = Role::output;
  pool.dtype = DType::u8;
  pool.shape = {spec.num_blocks};
  pool.strides = {page_stride(form, spec)};
  if (spec.heads != 0) {
    pool.shape.push_back(spec.heads);
    pool.strides.push_back(dense_head_stride(form, spec));
  }
  if (form.pool().rows_are_tokens) {
    pool.shape.push_back(layout.num_tokens);
    pool.strides.push_back(layout.bytes_per_token());
    pool.shape.push_back(layout.bytes_per_token());
  } else {
    pool.shape.push_back(layout.page_bytes());
  }
  pool.strides.push_back(1);
  const Window window = stored_pages(form, spec);
  pool.origin_bytes = -window.first * page_stride(form, spec);
  pool.storage.assign(static_cast<std::size_t>(pool_bytes(form, spec, window.pages)), spec.fill);
  pool.misalignment_bytes = flush_misalignment(pool.storage.size());
  problem.tensors.push_back(std::move(pool));
  return problem;
}

}  // namespace harness
