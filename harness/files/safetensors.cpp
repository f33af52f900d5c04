#include "harness/files/safetensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <new>
#include <tuple>

#include "harness/files/file.hpp"
#include "harness/files/host_memory.hpp"
#include "harness/files/malformed.hpp"
#include "harness/files/safetensors_header.hpp"
#include "harness/files/strict_json.hpp"

namespace harness {
namespace {

// Where a tensor's bytes lie, from the first byte after the header.
struct Entry {
  std::string name;
  DType dtype = DType::u8;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Header {
  std::map<std::string, std::string> metadata;
  std::vector<Entry> entries;  // in the order of their bytes
};

// The header's length as the first eight bytes state it.
Result<std::uint64_t> header_length(std::span<const std::uint8_t> first, std::uint64_t file_bytes,
                                    std::string_view source, const SafetensorsLimits& limits) {
  if (file_bytes < length_bytes) {
    return malformed(
        source, fmt::format("expected 8 bytes of header length, got a file of {}", file_bytes));
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::uint64_t{first[i]} << (8 * i);
  if (length > limits.max_header_bytes) {
    return malformed(source, fmt::format("header length: expected at most {} bytes, got {}",
                                         limits.max_header_bytes, length));
  }
  if (length > file_bytes - length_bytes) {
    return malformed(source,
                     fmt::format("header length: expected at most the {} bytes that follow, got {}",
                                 file_bytes - length_bytes, length));
  }
  return length;
}

Result<std::vector<std::int64_t>> read_integers(const nlohmann::json& array,
                                                const std::string& place) {
  if (!array.is_array()) {
    return malformed(place, fmt::format("expected an array of integers, got {}", describe(array)));
  }
  std::vector<std::int64_t> values;
  values.reserve(array.size());
  for (const auto& value : array) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) {
      return malformed(place,
                       fmt::format("expected integers in [0, 2^63), got {}", describe(value)));
    }
    values.push_back(value.get<std::int64_t>());
  }
  return values;
}

Result<Entry> read_entry(const std::string& name, const nlohmann::json& json,
                         std::uint64_t data_bytes, std::string_view source) {
  const std::string place = fmt::format("{}: tensor \"{}\"", source, name);
  JsonObject object(json, place);
  const std::string dtype_name = object.text("dtype");
  const nlohmann::json& shape_json = object.value("shape");
  const nlohmann::json& offsets_json = object.value("data_offsets");
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());

  const auto dtype = dtype_named(dtype_name);
  if (!dtype) {
    return malformed(
        place, fmt::format("dtype: expected one of {}, got {}",
                           "U8 U16 U32 I32 I64 F8_E4M3 F16 BF16 F32", describe(json.at("dtype"))));
  }
  auto shape = read_integers(shape_json, place + ": shape");
  if (!shape) return tl::make_unexpected(shape.error());
  const auto offsets = read_integers(offsets_json, place + ": data_offsets");
  if (!offsets) return tl::make_unexpected(offsets.error());
  if (offsets->size() != 2) {
    return malformed(place,
                     fmt::format("data_offsets: expected 2 integers, got {}", offsets->size()));
  }
  const auto begin = static_cast<std::uint64_t>(offsets->front());
  const auto end = static_cast<std::uint64_t>(offsets->back());
  if (begin > end || end > data_bytes) {
    return malformed(place, fmt::format("data_offsets: expected begin <= end <= {}, got [{}, {}]",
                                        data_bytes, begin, end));
  }
  const auto bytes = tensor_bytes(*dtype, *shape);
  if (!bytes) return malformed(place, bytes.error().message);
  if (*bytes != end - begin) {
    return malformed(place,
                     fmt::format("expected {} bytes for {} [{}], got data_offsets [{}, {}]", *bytes,
                                 name_of(*dtype), fmt::join(*shape, ", "), begin, end));
  }
  return Entry{name, *dtype, std::move(*shape), begin, end};
}

Result<std::map<std::string, std::string>> read_metadata(const nlohmann::json& json,
                                                         std::string_view source) {
  if (!json.is_object()) {
    return malformed(source,
                     fmt::format("{}: expected an object, got {}", metadata_key, describe(json)));
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) {
      return malformed(source, fmt::format("{}: \"{}\": expected a string, got {}", metadata_key,
                                           key, describe(value)));
    }
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// Every byte after the header belongs to exactly one tensor.
Result<void> check_tiling(const std::vector<Entry>& entries, std::uint64_t data_bytes,
                          std::string_view source) {
  std::uint64_t covered = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != covered) {
      return malformed(
          source, fmt::format("tensor \"{}\": expected its bytes to begin at {}, where the tensor "
                              "before it ends, got {} ({})",
                              entry.name, covered, entry.begin,
                              entry.begin < covered ? "an overlap" : "a gap"));
    }
    covered = entry.end;
  }
  if (covered != data_bytes) {
    return malformed(source, fmt::format("expected the file to end with the last tensor, at data "
                                         "byte {}, got {} bytes more",
                                         covered, data_bytes - covered));
  }
  return {};
}

Result<Header> read_header(std::string_view text, std::uint64_t data_bytes,
                           std::string_view source) {
  if (!text.starts_with('{')) {
    return malformed(source, "header: expected JSON that begins with '{'");
  }
  // The format pads with spaces alone; JSON would let tabs and line ends pass as well.
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  if (!text.ends_with('}')) {
    return malformed(source, "header: expected JSON that ends with '}' and spaces");
  }
  const auto json = parse_json(text, fmt::format("{}: header", source),
                               {.max_depth = 3, .max_bytes = text.size()});
  if (!json) return tl::make_unexpected(json.error());
  Header header;
  for (const auto& [name, value] : json->items()) {
    if (name == metadata_key) {
      auto metadata = read_metadata(value, source);
      if (!metadata) return tl::make_unexpected(metadata.error());
      header.metadata = std::move(*metadata);
      continue;
    }
    auto entry = read_entry(name, value, data_bytes, source);
    if (!entry) return tl::make_unexpected(entry.error());
    header.entries.push_back(std::move(*entry));
  }
  std::sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  if (auto tiled = check_tiling(header.entries, data_bytes, source); !tiled) {
    return tl::make_unexpected(tiled.error());
  }
  return header;
}

Result<void> check_data_size(std::uint64_t data_bytes, std::string_view source,
                             const SafetensorsLimits& limits) {
  if (data_bytes > limits.max_data_bytes) {
    return malformed(source, fmt::format("expected at most {} bytes of tensors, got {}",
                                         limits.max_data_bytes, data_bytes));
  }
  // A sparse file states more than it has. Below this it is not worth asking.
  constexpr std::uint64_t worth_asking_bytes = std::uint64_t{64} << 20;
  if (data_bytes < worth_asking_bytes) return {};
  const MemoryRoom room = memory_room();
  if (data_bytes <= room.bytes) return {};
  return oracle::fail(ErrorCode::out_of_memory,
                      fmt::format("{}: has {} bytes of tensors; {} has memory for {} left", source,
                                  data_bytes, room.of, room.bytes));
}

// Reads a file through `read_at(span, offset)`, which fills the span or gives an error.
template <class ReadAt>
Result<TensorFile> read_from(std::uint64_t file_bytes, std::string_view source,
                             const SafetensorsLimits& limits, ReadAt read_at) {
  std::array<std::uint8_t, length_bytes> first{};
  if (file_bytes >= length_bytes) {
    if (auto read = read_at(std::span<std::uint8_t>(first), std::uint64_t{0}); !read) {
      return tl::make_unexpected(read.error());
    }
  }
  const auto length = header_length(first, file_bytes, source, limits);
  if (!length) return tl::make_unexpected(length.error());
  std::vector<std::uint8_t> text(static_cast<std::size_t>(*length));
  if (auto read = read_at(std::span(text), length_bytes); !read) {
    return tl::make_unexpected(read.error());
  }
  const std::uint64_t data_begin = length_bytes + *length;
  const std::uint64_t data_bytes = file_bytes - data_begin;
  if (auto fits = check_data_size(data_bytes, source, limits); !fits) {
    return tl::make_unexpected(fits.error());
  }
  auto header =
      read_header({reinterpret_cast<const char*>(text.data()), text.size()}, data_bytes, source);
  if (!header) return tl::make_unexpected(header.error());

  TensorFile file;
  file.metadata = std::move(header->metadata);
  for (Entry& entry : header->entries) {
    std::vector<std::uint8_t> bytes;
    try {
      bytes.resize(static_cast<std::size_t>(entry.end - entry.begin));
    } catch (const std::bad_alloc&) {
      return oracle::fail(ErrorCode::out_of_memory,
                          fmt::format("{}: tensor \"{}\": no memory for its {} bytes", source,
                                      entry.name, entry.end - entry.begin));
    }
    if (auto read = read_at(std::span(bytes), data_begin + entry.begin); !read) {
      return tl::make_unexpected(read.error());
    }
    file.tensors.push_back(
        {std::move(entry.name), entry.dtype, std::move(entry.shape), std::move(bytes)});
  }
  return file;
}

}  // namespace

const FileTensor* TensorFile::find(std::string_view name) const {
  const auto it = std::find_if(tensors.begin(), tensors.end(),
                               [&](const FileTensor& tensor) { return tensor.name == name; });
  return it == tensors.end() ? nullptr : &*it;
}

Result<std::uint64_t> tensor_bytes(DType dtype, std::span<const std::int64_t> shape) {
  std::int64_t bytes = static_cast<std::int64_t>(element_bytes(dtype));
  for (const std::int64_t axis : shape) {
    if (axis < 0 || __builtin_mul_overflow(bytes, axis, &bytes)) {
      return oracle::fail(
          ErrorCode::malformed,
          fmt::format("expected a shape of nonnegative axes and fewer than 2^63 bytes, got {} [{}]",
                      name_of(dtype), fmt::join(shape, ", ")));
    }
  }
  return static_cast<std::uint64_t>(bytes);
}

Result<TensorFile> parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view source,
                                     const SafetensorsLimits& limits) {
  return read_from(bytes.size(), source, limits,
                   [&](std::span<std::uint8_t> to, std::uint64_t offset) -> Result<void> {
                     std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), to.size(),
                                 to.begin());
                     return {};
                   });
}

Result<TensorFile> read_safetensors(const std::filesystem::path& path,
                                    const SafetensorsLimits& limits) {
  return InputFile::open(path).and_then([&](const InputFile& file) {
    return read_from(
        file.bytes(), file.name(), limits,
        [&](std::span<std::uint8_t> to, std::uint64_t offset) { return file.read(to, offset); });
  });
}

}  // namespace harness
