#include <algorithm>

#include "harness/files/safetensors.hpp"
#include "harness/hostile/targets.hpp"

namespace harness::hostile {
namespace {

std::vector<FileTensor> by_name(std::vector<FileTensor> tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const FileTensor& a, const FileTensor& b) { return a.name < b.name; });
  return tensors;
}

}  // namespace

// What was read can be written, and reads back equal; writing it once more gives the same bytes.
void hostile_safetensors(Bytes bytes) {
  const auto read = parse_safetensors(bytes, source);
  if (!accepted(read)) return;
  const auto written = [](const TensorFile& file) {
    const SafetensorsHeader header = must(safetensors_header(file), "a header for what was read");
    std::vector<std::uint8_t> all = header.bytes;
    for (const std::size_t index : header.order) {
      all.insert(all.end(), file.tensors[index].bytes.begin(), file.tensors[index].bytes.end());
    }
    return all;
  };
  const std::vector<std::uint8_t> first = written(*read);
  const TensorFile again = must(parse_safetensors(first, source), "a file that was written");
  law(again.metadata == read->metadata, "metadata read back equal");
  law(by_name(again.tensors) == by_name(read->tensors), "tensors read back equal");
  law(written(again) == first, "writing is deterministic");
}

}  // namespace harness::hostile
