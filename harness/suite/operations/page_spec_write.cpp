#include "harness/suite/operations/page_spec.hpp"
#include "harness/suite/operations/page_spec_words.hpp"

namespace harness {
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

// Numbers one by one, or runs of equal ones where that is much shorter.
nlohmann::json num_pages_to_json(const std::vector<std::int64_t>& num_pages) {
  constexpr std::size_t many = 64;
  nlohmann::json runs = nlohmann::json::array();
  std::size_t begin = 0;
  for (std::size_t r = 1; r <= num_pages.size(); ++r) {
    if (r < num_pages.size() && num_pages[r] == num_pages[begin]) continue;
    runs.push_back({r - begin, num_pages[begin]});
    begin = r;
  }
  if (num_pages.size() <= many || 4 * runs.size() > num_pages.size()) return num_pages;
  return {{"runs", std::move(runs)}};
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
  const std::int64_t page_bytes = operation.layout().page_bytes();
  put(json["pool"], "first_id", pool.first_id, 0);
  put(json["pool"], "heads", pool.has_head_axis ? pool.heads : 0, 1);
  put(json["pool"], "head_stride_bytes", pool.head_stride_bytes, page_bytes);
  if (operation.pool().num_planes() > 1) {
    put(json["pool"], "plane_stride_bytes", pool.plane_stride_bytes,
        (pool.heads - 1) * pool.head_stride_bytes + page_bytes);
  }
  put(json["pool"], "stride_bytes", pool.stride_bytes, block_bytes(operation, pool));
  if (pool.misalignment_bytes) json["pool"]["misalignment_bytes"] = *pool.misalignment_bytes;
  if (pool.padding != PoolSpec{}.padding) {
    json["pool"]["padding"] = fmt::format("{:02x}", pool.padding);
  }
  if (operation.has_table()) {
    nlohmann::json table = nlohmann::json::object();
    put(table, "width", spec.table.width, 0);
    if (spec.table.stride) table["stride"] = *spec.table.stride;
    if (spec.table.beyond != Beyond::poison) {
      table["beyond"] = word_of(names(beyonds), spec.table.beyond);
    }
    if (!table.empty()) json["table"] = std::move(table);
    for (const CallSpec& call : spec.calls) {
      nlohmann::json entry{{"num_pages", num_pages_to_json(call.num_pages)}};
      if (call.ids.pattern != IdPattern::sequential) entry["ids"] = ids_to_json(call.ids);
      json["calls"].push_back(std::move(entry));
    }
    if (spec.max_num_pages) json["max_num_pages"] = *spec.max_num_pages;
  }
  const OutputSpec& out = spec.output;
  const OutputSpec plain;
  nlohmann::json output = nlohmann::json::object();
  if (out.dtype != operation.dtypes().front()) output["dtype"] = name_of(out.dtype);
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

}  // namespace harness
