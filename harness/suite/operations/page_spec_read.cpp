#include <algorithm>

#include "harness/suite/operations/page_spec.hpp"
#include "harness/suite/operations/page_spec_words.hpp"

namespace harness {
namespace {

// More than any case needs, and little enough that a hostile file cannot exhaust the machine.
constexpr std::int64_t max_pages = std::int64_t{1} << 20;
constexpr std::int64_t max_id = INT32_MAX;
constexpr std::int64_t max_requests = 1 << 17;
constexpr std::int64_t max_heads = 1 << 17;
constexpr std::int64_t max_stride = std::int64_t{1} << 34;
constexpr std::int64_t max_table_stride = std::int64_t{1} << 32;

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
    const std::int64_t tokens = operation.layout().num_tokens;
    const std::int64_t elements = operation.layout().head_dim;
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
  const std::int64_t page_bytes = operation.layout().page_bytes();
  if (operation.has_heads()) {
    const bool may_lack_heads = operation.pool().heads == oracle::HeadAxis::optional;
    pool.heads = reader.integer_or("heads", may_lack_heads ? 0 : 1, max_heads, 1);
    pool.has_head_axis = pool.heads != 0;
    pool.heads = std::max<std::int64_t>(pool.heads, 1);
    pool.head_stride_bytes =
        reader.integer_or("head_stride_bytes", page_bytes, max_stride, page_bytes);
  } else {
    pool.head_stride_bytes = page_bytes;
  }
  pool.plane_stride_bytes = (pool.heads - 1) * pool.head_stride_bytes + page_bytes;
  if (operation.pool().num_planes() > 1) {
    pool.plane_stride_bytes =
        reader.integer_or("plane_stride_bytes", page_bytes, max_stride, pool.plane_stride_bytes);
  }
  pool.stride_bytes =
      reader.integer_or("stride_bytes", page_bytes, max_stride, block_bytes(operation, pool));
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
    table.stride = reader.integer("stride", 0, max_table_stride);
  }
  table.beyond = reader.word_or("beyond", names(beyonds), table.beyond);
  if (status) status = reader.done();
  return table;
}

// One number for each request, or {"runs": [[times, number], ...]}.
std::vector<std::int64_t> num_pages_of(SpecReader& reader) {
  const nlohmann::json& stated = reader.value("num_pages");
  std::vector<std::int64_t> num_pages;
  const auto too_many = [&](std::size_t requests) {
    reader.fault("num_pages",
                 fmt::format("expected at most {} requests, got {}", max_requests, requests));
  };
  if (!stated.is_object()) {
    num_pages = reader.integers("num_pages", 0, max_pages);
    if (num_pages.size() > static_cast<std::size_t>(max_requests)) too_many(num_pages.size());
    return num_pages;
  }
  SpecReader by(stated, "num_pages");
  const nlohmann::json& runs = by.value("runs");
  if (!runs.is_array()) {
    by.fault("runs", fmt::format("expected an array of runs, got {}", describe(runs)));
  } else {
    for (const nlohmann::json& run : runs) {
      const std::vector<std::int64_t> pair = by.integers_of("runs", run, 0, max_pages);
      if (pair.size() != 2) {
        by.fault("runs",
                 fmt::format("expected pairs of times and num_pages, got {}", describe(run)));
        break;
      }
      const std::size_t requests = num_pages.size() + static_cast<std::size_t>(pair[0]);
      if (requests > static_cast<std::size_t>(max_requests)) {
        too_many(requests);
        break;
      }
      num_pages.insert(num_pages.end(), static_cast<std::size_t>(pair[0]), pair[1]);
    }
  }
  reader.adopt("num_pages", by.done());
  return num_pages;
}

CallSpec call_from_json(const nlohmann::json& json, const std::string& place,
                        std::int64_t pool_pages, Result<void>& status) {
  SpecReader reader(json, place);
  CallSpec call;
  call.num_pages = num_pages_of(reader);
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
  output.dtype = operation.dtypes().front();
  if (reader.optional_value("dtype") != nullptr) {
    const std::string word = reader.text("dtype");
    std::string known;
    for (const DType dtype : operation.dtypes()) {
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

}  // namespace

Result<PageSpec> page_spec_from_json(const PageOperation& operation, const nlohmann::json& json) {
  SpecReader reader(json, "spec");
  Result<void> status;
  PageSpec spec;
  spec.output.dtype = operation.dtypes().front();
  spec.pool = pool_from_json(operation, reader.value("pool"), status);
  if (!operation.has_table()) {
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
  if (Status fits = check_page_spec(operation, spec); !fits) {
    return tl::make_unexpected(fits.error());
  }
  return spec;
}

}  // namespace harness
