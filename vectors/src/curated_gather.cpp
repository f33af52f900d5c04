// Curated vectors of gathers: which physical page every output page was made from.
#include <algorithm>
#include <cstring>
#include <optional>

#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/gather.hpp"
#include "oracle/profile.hpp"
#include "vectors/src/curated_kinds.hpp"

namespace harness {
namespace {

using oracle::Dtype;

constexpr oracle::PageLayout layout = oracle::nvfp4_index_k;
constexpr std::int64_t max_stored_pages = 64;
constexpr std::uint8_t fill = 0x55;  // no page decodes to it

struct Call {
  std::vector<std::vector<std::int64_t>> table;
  std::vector<std::int64_t> num_pages;
};

// Stored pages of a pool, `first_id` the first of them; all differ in codes and in scales.
struct Pool {
  std::int64_t first_id = 0;
  std::int64_t num_blocks = 0;
  std::vector<std::uint8_t> storage;
  std::vector<std::vector<std::uint8_t>> decoded;
};

Pool make_pool(std::int64_t first_id, std::int64_t num_blocks) {
  Pool pool{first_id, num_blocks, {}, {}};
  for (std::int64_t id = first_id; id < num_blocks; ++id) {
    const auto number = static_cast<unsigned>(id - first_id);
    const unsigned code = 1 + number % 7;
    std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()),
                                   static_cast<std::uint8_t>(code * 0x11));
    std::fill_n(page.begin() + layout.scale_section_offset(), layout.scale_section_bytes(),
                static_cast<std::uint8_t>(0x10 + number));
    std::vector<std::uint8_t> out(
        static_cast<std::size_t>(oracle::decoded_page_bytes(layout, Dtype::e4m3)));
    oracle::decode_page(layout, page, Dtype::e4m3, out, oracle::profiles::ocp());
    pool.storage.insert(pool.storage.end(), page.begin(), page.end());
    pool.decoded.push_back(std::move(out));
  }
  return pool;
}

std::vector<std::uint8_t> int32_bytes(const std::vector<std::int64_t>& values) {
  std::vector<std::uint8_t> bytes(4 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<std::int32_t>(values[i]);
    std::memcpy(bytes.data() + 4 * i, &value, sizeof value);
  }
  return bytes;
}

oracle::ConstTensorView row(const std::vector<std::uint8_t>& bytes) {
  return {bytes, Dtype::i32, {static_cast<std::int64_t>(bytes.size() / 4)}, {1}, 0};
}

// The stored page whose decoded bytes these are; none for the fill.
std::optional<std::int64_t> page_of(const Pool& pool, std::span<const std::uint8_t> bytes) {
  for (std::size_t i = 0; i < pool.decoded.size(); ++i) {
    if (std::equal(bytes.begin(), bytes.end(), pool.decoded[i].begin())) {
      return pool.first_id + static_cast<std::int64_t>(i);
    }
  }
  return std::nullopt;
}

nlohmann::json answer(const Pool& pool, const Call& call, std::int64_t spare_pages) {
  std::vector<std::int64_t> flat_table;
  for (const auto& table_row : call.table) {
    flat_table.insert(flat_table.end(), table_row.begin(), table_row.end());
  }
  std::vector<std::int64_t> offsets;
  std::int64_t total = 0;
  for (const std::int64_t count : call.num_pages) {
    offsets.push_back(total);
    total += count;
  }
  const std::vector<std::uint8_t> table = int32_bytes(flat_table);
  const std::vector<std::uint8_t> counts = int32_bytes(call.num_pages);
  const std::vector<std::uint8_t> first_pages = int32_bytes(offsets);
  const auto requests = static_cast<std::int64_t>(call.table.size());
  const auto width = static_cast<std::int64_t>(call.table.empty() ? 0 : call.table.front().size());
  const std::int64_t page_elements = layout.page_elements();
  std::vector<std::uint8_t> out(static_cast<std::size_t>((total + spare_pages) * page_elements),
                                fill);
  oracle::GatherArguments arguments;
  arguments.pages = {pool.storage,
                     Dtype::u8,
                     {pool.num_blocks, layout.num_tokens, layout.bytes_per_token()},
                     {layout.page_bytes(), layout.bytes_per_token(), 1},
                     -oracle::page_offset(pool.first_id, layout.page_bytes())};
  arguments.block_table = {table, Dtype::i32, {requests, width}, {width, 1}, 0};
  arguments.num_pages = row(counts);
  arguments.page_offsets = row(first_pages);
  arguments.max_num_pages =
      call.num_pages.empty() ? 0 : *std::max_element(call.num_pages.begin(), call.num_pages.end());
  arguments.out = {out,
                   Dtype::e4m3,
                   {total + spare_pages, layout.num_tokens, layout.head_dim},
                   {page_elements, layout.head_dim, 1},
                   0};
  if (auto done = oracle::nvfp4_gather_index_k(arguments, oracle::profiles::ocp()); !done) {
    return {{"refused", done.error().code == ErrorCode::out_of_range ? "out of range" : "other"}};
  }
  const auto page = [&](std::int64_t number) {
    return page_of(pool, std::span<const std::uint8_t>(out).subspan(
                             static_cast<std::size_t>(number * page_elements),
                             static_cast<std::size_t>(page_elements)));
  };
  nlohmann::json pages = nlohmann::json::array();
  for (std::size_t r = 0; r < call.num_pages.size(); ++r) {
    pages.push_back(nlohmann::json::array());
    for (std::int64_t p = 0; p < call.num_pages[r]; ++p) {
      pages.back().push_back(page(offsets[r] + p).value_or(-1));
    }
  }
  const bool untouched = std::all_of(out.begin() + total * page_elements, out.end(),
                                     [](std::uint8_t byte) { return byte == fill; });
  return {{"pages", pages}, {"rest_untouched", untouched}};
}

}  // namespace

Result<nlohmann::json> answer_gather_pages(CuratedInputs& inputs) {
  const std::int64_t num_blocks = inputs.integer("num_blocks", 1, INT32_MAX);
  const std::int64_t first_id = inputs.integer("first_stored_page", 0, num_blocks - 1);
  const std::int64_t spare_pages = inputs.integer("spare_output_pages", 0, 16);
  const nlohmann::json& calls_json = inputs.value("calls");
  if (num_blocks - first_id > max_stored_pages) {
    inputs.fault("num_blocks", fmt::format("expected at most {} stored pages", max_stored_pages));
  }
  if (!calls_json.is_array() || calls_json.size() > 8) {
    inputs.fault("calls", "expected an array of at most 8 calls");
  }
  if (auto done = inputs.done(); !done) return tl::make_unexpected(done.error());

  const Pool pool = make_pool(first_id, num_blocks);
  nlohmann::json answers = nlohmann::json::array();
  for (const auto& call_json : calls_json) {
    CuratedInputs call_inputs(call_json, "gather_pages: inputs: calls");
    Call call;
    call.table = call_inputs.rows("block_table", INT32_MIN, INT32_MAX);
    call.num_pages = call_inputs.integers("num_pages", 0, 64);
    if (call.num_pages.size() != call.table.size()) {
      call_inputs.fault("num_pages", "expected one count for each row of the table");
    }
    if (auto done = call_inputs.done(); !done) return tl::make_unexpected(done.error());
    answers.push_back(answer(pool, call, spare_pages));
  }
  return nlohmann::json{{"calls", answers}};
}

}  // namespace harness
