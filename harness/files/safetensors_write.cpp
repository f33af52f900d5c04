#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "harness/files/file.hpp"
#include "harness/files/safetensors.hpp"
#include "harness/files/safetensors_header.hpp"

namespace harness {
namespace {

// JSON text of a string. Error: it is not UTF-8.
Result<std::string> quoted(const std::string& text) {
  const std::string json =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (nlohmann::json::parse(json).get_ref<const std::string&>() != text) {
    return oracle::fail(ErrorCode::invalid_argument, fmt::format("expected UTF-8, got {}", json));
  }
  return json;
}

std::optional<std::string> name_fault(const TensorFile& file) {
  std::set<std::string_view> names;
  for (const FileTensor& tensor : file.tensors) {
    if (tensor.name == metadata_key) return fmt::format("\"{}\" is reserved", tensor.name);
    if (!names.insert(tensor.name).second) return fmt::format("\"{}\" repeats", tensor.name);
  }
  return std::nullopt;
}

std::vector<std::size_t> byte_order(const TensorFile& file) {
  std::vector<std::size_t> order(file.tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const FileTensor& x = file.tensors[a];
    const FileTensor& y = file.tensors[b];
    const std::size_t x_width = element_bytes(x.dtype);
    const std::size_t y_width = element_bytes(y.dtype);
    return x_width != y_width ? x_width > y_width : x.name < y.name;
  });
  return order;
}

Result<std::string> metadata_json(const std::map<std::string, std::string>& metadata) {
  std::string json;
  for (const auto& [key, value] : metadata) {
    const auto quoted_key = quoted(key);
    if (!quoted_key) return tl::make_unexpected(quoted_key.error());
    const auto quoted_value = quoted(value);
    if (!quoted_value) return tl::make_unexpected(quoted_value.error());
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", *quoted_key, *quoted_value);
  }
  return fmt::format("\"{}\":{{{}}}", metadata_key, json);
}

}  // namespace

Result<SafetensorsHeader> safetensors_header(const TensorFile& file) {
  if (const auto fault = name_fault(file)) {
    return oracle::fail(ErrorCode::invalid_argument, fmt::format("tensor name {}", *fault));
  }
  std::vector<std::string> members;
  if (!file.metadata.empty()) {
    auto metadata = metadata_json(file.metadata);
    if (!metadata) return tl::make_unexpected(metadata.error());
    members.push_back(std::move(*metadata));
  }
  SafetensorsHeader header{{}, byte_order(file)};
  std::uint64_t begin = 0;
  for (const std::size_t index : header.order) {
    const FileTensor& tensor = file.tensors[index];
    const auto bytes = tensor_bytes(tensor.dtype, tensor.shape);
    if (!bytes || *bytes != tensor.bytes.size()) {
      return oracle::fail(
          ErrorCode::invalid_argument,
          fmt::format("tensor \"{}\": {} [{}] does not fit {} bytes", tensor.name,
                      name_of(tensor.dtype), fmt::join(tensor.shape, ", "), tensor.bytes.size()));
    }
    const auto name = quoted(tensor.name);
    if (!name) return tl::make_unexpected(name.error());
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  *name, name_of(tensor.dtype), fmt::join(tensor.shape, ","), begin,
                                  begin + *bytes));
    begin += *bytes;
  }
  std::string json = fmt::format("{{{}}}", fmt::join(members, ","));
  json.append((length_bytes - json.size() % length_bytes) % length_bytes, ' ');
  for (std::size_t i = 0; i < length_bytes; ++i) {
    header.bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{json.size()} >> (8 * i)));
  }
  header.bytes.insert(header.bytes.end(), json.begin(), json.end());
  return header;
}

Result<void> write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  const auto header = safetensors_header(file);
  if (!header) {
    return oracle::fail(header.error().code,
                        fmt::format("{}: {}", path.string(), header.error().message));
  }
  std::vector<std::span<const std::uint8_t>> parts{header->bytes};
  for (const std::size_t index : header->order) parts.emplace_back(file.tensors[index].bytes);
  return write_file(path, parts);
}

}  // namespace harness
