// Files of named tensors in the safetensors format (huggingface/safetensors, format version of
// 0.3 and later): eight bytes of header length (little endian), a JSON header, the tensors' bytes.
//
// Reading trusts nothing: the header's length, its JSON (strict_json.hpp), names, dtypes, shapes
// whose product overflows, offsets that overlap, leave a gap, run past the end or stop before it.
// Only the dtypes of dtype.hpp are known. Writing is deterministic: equal contents give equal
// bytes, on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/dtype.hpp"
#include "harness/model/result.hpp"

namespace harness {

struct FileTensor {
  std::string name;
  DType dtype = DType::u8;
  std::vector<std::int64_t> shape;  // outermost axis first, row-major; empty for a scalar
  std::vector<std::uint8_t> bytes;  // little endian

  bool operator==(const FileTensor&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<FileTensor> tensors;  // read: in the order of their bytes; written: any order

  const FileTensor* find(std::string_view name) const;
};

struct SafetensorsLimits {
  std::uint64_t max_header_bytes = std::uint64_t{16} << 20;
  std::uint64_t max_data_bytes = std::uint64_t{64} << 30;
};

// `source` names the bytes in errors. Error: malformed, with the tensor or byte, expected, actual.
Result<TensorFile> parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view source,
                                     const SafetensorsLimits& limits = {});
// Error: as above, or io_error. Tensors are read one by one; nothing is allocated that the file
// does not have.
Result<TensorFile> read_safetensors(const std::filesystem::path& path,
                                    const SafetensorsLimits& limits = {});

// The header (length, JSON, padding with spaces to eight bytes) that goes before the tensors' bytes
// in `order`: wider dtypes first, so that every tensor is aligned to its element, then by name.
// Error: invalid_argument for a name that repeats or is reserved, text that is not UTF-8, or bytes
// that do not fit the shape.
struct SafetensorsHeader {
  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> order;  // indices into TensorFile::tensors
};
Result<SafetensorsHeader> safetensors_header(const TensorFile& file);
Result<void> write_safetensors(const std::filesystem::path& path, const TensorFile& file);

// The number of bytes of a tensor. Error: a negative axis, or a product beyond 2^63.
Result<std::uint64_t> tensor_bytes(DType dtype, std::span<const std::int64_t> shape);

}  // namespace harness
