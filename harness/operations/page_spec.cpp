#include "operations/page_spec.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "operations/random.hpp"
#include "operations/spec_reader.hpp"

namespace harness {
namespace {

// More than any case needs, and little enough that a hostile file cannot exhaust the machine.
constexpr std::int64_t max_pages = std::int64_t{1} << 20;
constexpr std::int64_t max_id = INT32_MAX;
constexpr std::int64_t max_requests = 1 << 16;
constexpr std::int64_t max_stride = std::int64_t{1} << 24;
constexpr std::uint64_t max_problem_bytes = std::uint64_t{1} << 34;

constexpr std::array<std::pair<ContentKind, std::string_view>, 5> content_kinds{
    {{ContentKind::exhaustive, "exhaustive"},
     {ContentKind::layout, "layout"},
     {ContentKind::probe, "probe"},
     {ContentKind::random, "random"},
     {ContentKind::named, "named"}}};
constexpr std::array<std::pair<Beyond, std::string_view>, 2> beyonds{
    {{Beyond::poison, "poison"}, {Beyond::valid, "valid"}}};
constexpr std::array<std::pair<IdPattern, std::string_view>, 5> patterns{
    {{IdPattern::sequential, "sequential"},
     {IdPattern::reversed, "reversed"},
     {IdPattern::scattered, "scattered"},
     {IdPattern::repeated, "repeated"},
     {IdPattern::list, "list"}}};
constexpr std::array<std::pair<OutputOrder, std::string_view>, 2> orders{
    {{OutputOrder::packed, "packed"}, {OutputOrder::reversed, "reversed"}}};

template <class Enum, std::size_t size>
EnumNames<Enum> names(const std::array<std::pair<Enum, std::string_view>, size>& table) {
  return EnumNames<Enum>(table);
}

Poke poke_from_json(const nlohmann::json& json, const std::string& place, Result<void>& status) {
  SpecReader reader(json, place);
  Poke poke;
  poke.page = reader.integer("page", 0, max_pages);
  poke.byte = reader.integer("byte", 0, max_stride);
  poke.bytes = reader.bytes("bytes");
  if (status) status = reader.done();
  return poke;
}

Contents contents_from_json(const PageOperation& operation, const nlohmann::json& json,
                            Result<void>& status) {
  SpecReader reader(json, "pool.contents");
  Contents contents;
  contents.kind = reader.word("kind", names(content_kinds));
  switch (contents.kind) {
    case ContentKind::exhaustive:
      break;
    case ContentKind::layout:
      contents.seed = reader.seed_or("seed", contents.seed);
      break;
    case ContentKind::probe:
      contents.codes = reader.byte_or("codes", contents.codes);
      if (reader.optional_value("scale") != nullptr) contents.scale = reader.byte_or("scale", 0);
      break;
    case ContentKind::random:
      contents.seed = reader.seed_or("seed", contents.seed);
      contents.distribution =
          reader.word_or("distribution", distribution_names(), contents.distribution);
      break;
    case ContentKind::named:
      contents.name = reader.text("name");
      break;
  }
  if (const nlohmann::json* pokes = reader.optional_value("pokes")) {
    if (!pokes->is_array()) {
      reader.fault("pokes", fmt::format("expected an array, got {}", describe(*pokes)));
    } else {
      for (std::size_t i = 0; i < pokes->size(); ++i) {
        Result<void> poke;
        contents.pokes.push_back(
            poke_from_json((*pokes)[i], fmt::format("pool.contents.pokes[{}]", i), poke));
        if (!poke && status) status = poke;
      }
    }
  }
  if (const nlohmann::json* keep = reader.optional_value("keep")) {
    SpecReader kept(*keep, "pool.contents.keep");
    const std::int64_t tokens = operation.layout->num_tokens;
    const std::int64_t elements = operation.layout->head_dim;
    Keep k;
    k.first_token = kept.integer_or("first_token", 0, tokens - 1, 0);
    k.tokens = kept.integer_or("tokens", 1, tokens - k.first_token, tokens - k.first_token);
    k.first_element = kept.integer_or("first_element", 0, elements - 1, 0);
    k.elements =
        kept.integer_or("elements", 1, elements - k.first_element, elements - k.first_element);
    contents.keep = k;
    if (status) status = kept.done();
  }
  contents.first_number = reader.seed_or("first_number", 0);
  if (reader.optional_value("only_named") != nullptr) {
    contents.only_named = reader.boolean("only_named");
  }
  if (status) status = reader.done();
  return contents;
}

PoolSpec pool_from_json(const PageOperation& operation, const nlohmann::json& json,
                        Result<void>& status) {
  SpecReader reader(json, "pool");
  PoolSpec pool;
  pool.pages = reader.integer("pages", 0, max_pages);
  pool.first_id = reader.integer_or("first_id", 0, max_id - max_pages, 0);
  const std::int64_t page_bytes = operation.layout->page_bytes();
  if (operation.has_heads) {
    pool.heads = reader.integer_or("heads", 1, 256, 1);
    pool.head_stride_bytes =
        reader.integer_or("head_stride_bytes", page_bytes, max_stride, page_bytes);
  } else {
    pool.head_stride_bytes = page_bytes;
  }
  const std::int64_t all_heads = (pool.heads - 1) * pool.head_stride_bytes + page_bytes;
  pool.stride_bytes = reader.integer_or("stride_bytes", all_heads, max_stride, all_heads);
  if (reader.optional_value("misalignment_bytes") != nullptr) {
    pool.misalignment_bytes = reader.integer("misalignment_bytes", 0, 255);
  }
  pool.padding = reader.byte_or("padding", pool.padding);
  pool.contents = contents_from_json(operation, reader.value("contents"), status);
  if (status) status = reader.done();
  return pool;
}

TableSpec table_from_json(const nlohmann::json& json, Result<void>& status) {
  SpecReader reader(json, "table");
  TableSpec table;
  table.width = reader.integer_or("width", 1, max_pages, 0);
  if (reader.optional_value("stride") != nullptr) {
    table.stride = reader.integer("stride", 0, max_pages);
  }
  table.beyond = reader.word_or("beyond", names(beyonds), table.beyond);
  if (status) status = reader.done();
  return table;
}

CallSpec call_from_json(const nlohmann::json& json, const std::string& place,
                        std::int64_t pool_pages, Result<void>& status) {
  SpecReader reader(json, place);
  CallSpec call;
  call.num_pages = reader.integers("num_pages", 0, max_pages);
  if (call.num_pages.size() > static_cast<std::size_t>(max_requests)) {
    reader.fault("num_pages", fmt::format("expected at most {} requests, got {}", max_requests,
                                          call.num_pages.size()));
  }
  if (const nlohmann::json* ids = reader.optional_value("ids")) {
    SpecReader id_reader(*ids, place + ".ids");
    call.ids.pattern = id_reader.word("pattern", names(patterns));
    if (call.ids.pattern == IdPattern::scattered) {
      call.ids.seed = id_reader.seed_or("seed", call.ids.seed);
    }
    if (call.ids.pattern == IdPattern::repeated) {
      call.ids.period = id_reader.integer_or("period", 1, std::max<std::int64_t>(pool_pages, 1), 1);
    }
    if (call.ids.pattern == IdPattern::list) {
      const nlohmann::json& rows = id_reader.value("rows");
      if (!rows.is_array() || rows.size() != call.num_pages.size()) {
        id_reader.fault("rows", fmt::format("expected an array of {} rows, one for each request",
                                            call.num_pages.size()));
      } else {
        for (const nlohmann::json& row : rows) {
          call.ids.rows.push_back(id_reader.integers_of("rows", row, 0, pool_pages - 1));
        }
        for (std::size_t r = 0; r < call.ids.rows.size(); ++r) {
          if (call.ids.rows[r].size() != static_cast<std::size_t>(call.num_pages[r])) {
            id_reader.fault("rows", fmt::format("expected {} pages in row {}, got {}",
                                                call.num_pages[r], r, call.ids.rows[r].size()));
            break;
          }
        }
      }
    }
    if (status) status = id_reader.done();
  }
  if (status) status = reader.done();
  return call;
}

OutputSpec output_from_json(const PageOperation& operation, const nlohmann::json& json,
                            Result<void>& status) {
  SpecReader reader(json, "output");
  OutputSpec output;
  output.dtype = operation.dtypes.front();
  if (reader.optional_value("dtype") != nullptr) {
    const std::string word = reader.text("dtype");
    std::string known;
    for (const DType dtype : operation.dtypes) {
      known += known.empty() ? "" : ", ";
      known += name_of(dtype);
      if (name_of(dtype) == word) output.dtype = dtype;
    }
    if (name_of(output.dtype) != word) {
      reader.fault("dtype", fmt::format("expected one of {}, got \"{}\"", known, word));
    }
  }
  output.first_page = reader.integer_or("first_page", 0, max_id - max_pages, 0);
  output.lead_pages = reader.integer_or("lead_pages", 0, output.first_page, 0);
  output.spare_pages = reader.integer_or("spare_pages", 0, max_pages, output.spare_pages);
  output.gap_pages = reader.integer_or("gap_pages", 0, max_pages, 0);
  output.order = reader.word_or("order", names(orders), output.order);
  output.fill = reader.byte_or("fill", output.fill);
  output.misalignment_bytes = reader.integer_or("misalignment_bytes", 0, 255, 0);
  if (status) status = reader.done();
  return output;
}

// What a single member cannot say: that the calls fit the pool, the table and each other.
Status check_together(const PageOperation& operation, const PageSpec& spec) {
  const auto refuse = [](std::string message) {
    return oracle::fail(ErrorCode::malformed, std::move(message));
  };
  const std::int64_t widest = largest_num_pages(spec);
  for (const CallSpec& call : spec.calls) {
    if (call.num_pages.size() != spec.calls.front().num_pages.size()) {
      return refuse(fmt::format("calls: expected {} requests in every call, got {}",
                                spec.calls.front().num_pages.size(), call.num_pages.size()));
    }
  }
  if (widest > 0 && spec.pool.pages == 0) {
    return refuse(fmt::format("pool: \"pages\": expected at least 1 for calls that gather, got 0"));
  }
  if (spec.table.width != 0 && spec.table.width < widest) {
    return refuse(
        fmt::format("table: \"width\": expected at least {}, the largest num_pages, got {}", widest,
                    spec.table.width));
  }
  const std::int64_t stride = table_stride(spec);
  if (stride != 0 && stride < table_width(spec)) {
    return refuse(fmt::format("table: \"stride\": expected 0 or at least the width {}, got {}",
                              table_width(spec), stride));
  }
  if (stride == 0) {
    for (const CallSpec& call : spec.calls) {
      for (const std::int64_t pages : call.num_pages) {
        if (pages != widest || call.ids.pattern == IdPattern::list) {
          return refuse(
              "table: \"stride\": 0 needs equal num_pages and a pattern of ids, for all requests "
              "share one row");
        }
      }
    }
  }
  if (spec.max_num_pages && *spec.max_num_pages < widest) {
    return refuse(
        fmt::format("\"max_num_pages\": expected at least {}, the largest num_pages, got {}",
                    widest, *spec.max_num_pages));
  }
  for (const Poke& poke : spec.pool.contents.pokes) {
    const std::int64_t end = poke.byte + static_cast<std::int64_t>(poke.bytes.size());
    const std::int64_t bytes =
        (spec.pool.heads - 1) * spec.pool.head_stride_bytes + operation.layout->page_bytes();
    if (poke.page >= spec.pool.pages || end > bytes) {
      return refuse(
          fmt::format("pool.contents.pokes: expected a place in {} pages of {} bytes, got "
                      "page {} bytes {} to {}",
                      spec.pool.pages, bytes, poke.page, poke.byte, end - 1));
    }
  }
  if (problem_bytes(operation, spec) > max_problem_bytes) {
    return refuse(fmt::format("expected a problem of at most {} bytes, got {}", max_problem_bytes,
                              problem_bytes(operation, spec)));
  }
  return {};
}

}  // namespace

Result<PageSpec> page_spec_from_json(const PageOperation& operation, const nlohmann::json& json) {
  SpecReader reader(json, "spec");
  Result<void> status;
  PageSpec spec;
  spec.output.dtype = operation.dtypes.front();
  spec.pool = pool_from_json(operation, reader.value("pool"), status);
  if (!operation.has_table) {
    spec.calls.push_back({.num_pages = {spec.pool.pages}, .ids = {}});
  } else {
    if (const nlohmann::json* table = reader.optional_value("table")) {
      spec.table = table_from_json(*table, status);
    }
    if (reader.optional_value("max_num_pages") != nullptr) {
      spec.max_num_pages = reader.integer("max_num_pages", 0, max_pages);
    }
    const nlohmann::json& calls = reader.value("calls");
    if (!calls.is_array() || calls.empty() || calls.size() > 64) {
      reader.fault("calls", fmt::format("expected an array of 1 to 64 calls, got {}",
                                        calls.is_array() ? fmt::format("{}", calls.size())
                                                         : describe(calls)));
    } else {
      for (std::size_t i = 0; i < calls.size(); ++i) {
        spec.calls.push_back(
            call_from_json(calls[i], fmt::format("calls[{}]", i), spec.pool.pages, status));
      }
    }
  }
  if (const nlohmann::json* output = reader.optional_value("output")) {
    spec.output = output_from_json(operation, *output, status);
  }
  if (Result<void> own = reader.done(); !own) return tl::make_unexpected(own.error());
  if (!status) return tl::make_unexpected(status.error());
  if (Status fits = check_together(operation, spec); !fits) {
    return tl::make_unexpected(fits.error());
  }
  return spec;
}

namespace {

nlohmann::json contents_to_json(const Contents& contents) {
  nlohmann::json json{{"kind", word_of(names(content_kinds), contents.kind)}};
  switch (contents.kind) {
    case ContentKind::exhaustive:
      break;
    case ContentKind::layout:
      json["seed"] = contents.seed;
      break;
    case ContentKind::probe:
      json["codes"] = fmt::format("{:02x}", contents.codes);
      if (contents.scale) json["scale"] = fmt::format("{:02x}", *contents.scale);
      break;
    case ContentKind::random:
      json["seed"] = contents.seed;
      json["distribution"] = word_of(distribution_names(), contents.distribution);
      break;
    case ContentKind::named:
      json["name"] = contents.name;
      break;
  }
  for (const Poke& poke : contents.pokes) {
    json["pokes"].push_back(
        {{"page", poke.page}, {"byte", poke.byte}, {"bytes", hex_from_bytes(poke.bytes)}});
  }
  if (contents.keep) {
    json["keep"] = {{"first_token", contents.keep->first_token},
                    {"tokens", contents.keep->tokens},
                    {"first_element", contents.keep->first_element},
                    {"elements", contents.keep->elements}};
  }
  if (contents.first_number != 0) json["first_number"] = contents.first_number;
  if (contents.only_named) json["only_named"] = true;
  return json;
}

nlohmann::json ids_to_json(const IdSpec& ids) {
  nlohmann::json json{{"pattern", word_of(names(patterns), ids.pattern)}};
  if (ids.pattern == IdPattern::scattered) json["seed"] = ids.seed;
  if (ids.pattern == IdPattern::repeated) json["period"] = ids.period;
  if (ids.pattern == IdPattern::list) json["rows"] = ids.rows;
  return json;
}

}  // namespace

nlohmann::json to_json(const PageOperation& operation, const PageSpec& spec) {
  const PoolSpec& pool = spec.pool;
  nlohmann::json json;
  json["pool"] = {{"pages", pool.pages}, {"contents", contents_to_json(pool.contents)}};
  const auto put = [](nlohmann::json& object, const char* key, std::int64_t value,
                      std::int64_t otherwise) {
    if (value != otherwise) object[key] = value;
  };
  const std::int64_t page_bytes = operation.layout->page_bytes();
  put(json["pool"], "first_id", pool.first_id, 0);
  put(json["pool"], "heads", pool.heads, 1);
  put(json["pool"], "head_stride_bytes", pool.head_stride_bytes, page_bytes);
  put(json["pool"], "stride_bytes", pool.stride_bytes,
      (pool.heads - 1) * pool.head_stride_bytes + page_bytes);
  if (pool.misalignment_bytes) json["pool"]["misalignment_bytes"] = *pool.misalignment_bytes;
  if (pool.padding != PoolSpec{}.padding) {
    json["pool"]["padding"] = fmt::format("{:02x}", pool.padding);
  }
  if (operation.has_table) {
    nlohmann::json table = nlohmann::json::object();
    put(table, "width", spec.table.width, 0);
    if (spec.table.stride) table["stride"] = *spec.table.stride;
    if (spec.table.beyond != Beyond::poison) {
      table["beyond"] = word_of(names(beyonds), spec.table.beyond);
    }
    if (!table.empty()) json["table"] = std::move(table);
    for (const CallSpec& call : spec.calls) {
      nlohmann::json entry{{"num_pages", call.num_pages}};
      if (call.ids.pattern != IdPattern::sequential) entry["ids"] = ids_to_json(call.ids);
      json["calls"].push_back(std::move(entry));
    }
    if (spec.max_num_pages) json["max_num_pages"] = *spec.max_num_pages;
  }
  const OutputSpec& out = spec.output;
  const OutputSpec plain;
  nlohmann::json output = nlohmann::json::object();
  if (out.dtype != operation.dtypes.front()) output["dtype"] = name_of(out.dtype);
  put(output, "first_page", out.first_page, 0);
  put(output, "lead_pages", out.lead_pages, 0);
  put(output, "spare_pages", out.spare_pages, plain.spare_pages);
  put(output, "gap_pages", out.gap_pages, 0);
  put(output, "misalignment_bytes", out.misalignment_bytes, 0);
  if (out.order != plain.order) output["order"] = word_of(names(orders), out.order);
  if (out.fill != plain.fill) output["fill"] = fmt::format("{:02x}", out.fill);
  if (!output.empty()) json["output"] = std::move(output);
  return json;
}

std::int64_t largest_num_pages(const PageSpec& spec) {
  std::int64_t largest = 0;
  for (const CallSpec& call : spec.calls) {
    for (const std::int64_t pages : call.num_pages) largest = std::max(largest, pages);
  }
  return largest;
}

std::int64_t table_width(const PageSpec& spec) {
  return spec.table.width != 0 ? spec.table.width
                               : std::max<std::int64_t>(largest_num_pages(spec), 1);
}

std::int64_t table_stride(const PageSpec& spec) {
  return spec.table.stride.value_or(table_width(spec));
}

std::vector<std::int64_t> page_offsets(const PageSpec& spec, const CallSpec& call) {
  const std::size_t requests = call.num_pages.size();
  std::vector<std::int64_t> offsets(requests);
  std::int64_t next = spec.output.first_page;
  for (std::size_t i = 0; i < requests; ++i) {
    const std::size_t r = spec.output.order == OutputOrder::packed ? i : requests - 1 - i;
    offsets[r] = next;
    next += call.num_pages[r] + spec.output.gap_pages;
  }
  return offsets;
}

std::int64_t output_extent_pages(const PageSpec& spec) {
  std::int64_t extent = 0;
  for (const CallSpec& call : spec.calls) {
    const auto requests = static_cast<std::int64_t>(call.num_pages.size());
    const std::int64_t pages =
        std::accumulate(call.num_pages.begin(), call.num_pages.end(), std::int64_t{0});
    extent =
        std::max(extent, pages + std::max<std::int64_t>(requests - 1, 0) * spec.output.gap_pages);
  }
  return extent;
}

namespace {

// Number, in the pool, of the n-th page that a call names by a pattern.
class PageOrder {
 public:
  PageOrder(const IdSpec& ids, std::int64_t pool_pages) : ids_(ids), pages_(pool_pages) {
    if (ids.pattern == IdPattern::scattered) {
      order_ = permutation(static_cast<std::size_t>(pool_pages), ids.seed);
    }
  }
  std::int64_t at(std::int64_t n) const {
    switch (ids_.pattern) {
      case IdPattern::reversed:
        return pages_ - 1 - n % pages_;
      case IdPattern::scattered:
        return order_[static_cast<std::size_t>(n % pages_)];
      case IdPattern::repeated:
        return n % ids_.period;
      case IdPattern::sequential:
      case IdPattern::list:
        break;
    }
    return n % pages_;
  }

 private:
  const IdSpec& ids_;
  std::int64_t pages_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::vector<std::int64_t>> named_page_numbers(const PageSpec& spec,
                                                          const CallSpec& call) {
  if (call.ids.pattern == IdPattern::list) return call.ids.rows;
  const PageOrder order(call.ids, spec.pool.pages);
  std::vector<std::vector<std::int64_t>> rows(call.num_pages.size());
  std::int64_t n = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (table_stride(spec) == 0) n = 0;
    for (std::int64_t p = 0; p < call.num_pages[r]; ++p) rows[r].push_back(order.at(n++));
  }
  return rows;
}

std::uint64_t problem_bytes(const PageOperation& operation, const PageSpec& spec) {
  const auto u = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t requests = spec.calls.front().num_pages.size();
  const std::uint64_t output_page =
      u(operation.layout->page_elements()) * u(spec.pool.heads) * element_bytes(spec.output.dtype);
  const std::uint64_t output_pages =
      u(output_extent_pages(spec) + spec.output.lead_pages + spec.output.spare_pages);
  return u(spec.pool.pages) * u(spec.pool.stride_bytes) + output_pages * output_page +
         requests * (u(table_stride(spec)) * 4 + 8);
}

}  // namespace harness
