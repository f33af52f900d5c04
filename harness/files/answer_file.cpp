#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/files/malformed.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/files/stored_form.hpp"

namespace harness {
namespace {

// "U8 [2, 128]"
std::string form_text(DType dtype, const std::vector<std::int64_t>& shape) {
  return fmt::format("{} [{}]", name_of(dtype), fmt::join(shape, ", "));
}

}  // namespace

TensorFile to_tensor_file(const Problem& problem, const Outputs& outputs) {
  TensorFile file;
  std::size_t output = 0;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.role == Role::output) {
      const std::vector<std::uint8_t>& bytes = outputs.at(output++);
      StoredForm form = stored_form(tensor, bytes.size());
      file.tensors.push_back({tensor.name, form.dtype, std::move(form.shape), bytes});
    }
  }
  return file;
}

Result<Outputs> outputs_from(TensorFile file, const Problem& problem, std::string_view source) {
  Outputs outputs;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.role != Role::output) continue;
    const auto it = std::find_if(file.tensors.begin(), file.tensors.end(),
                                 [&](const FileTensor& f) { return f.name == tensor.name; });
    if (it == file.tensors.end()) {
      return malformed(source, fmt::format("expected a tensor \"{}\", got none", tensor.name));
    }
    const StoredForm wanted = stored_form(tensor, tensor.storage.size());
    const bool same = it->dtype == wanted.dtype && it->shape == wanted.shape;
    const std::vector<std::int64_t> flat{static_cast<std::int64_t>(tensor.storage.size())};
    const bool as_bytes =
        it->dtype == DType::u8 &&
        (it->shape == flat || (element_bytes(wanted.dtype) == 1 && it->shape == wanted.shape));
    if (!same && !as_bytes) {
      const std::string own = form_text(wanted.dtype, wanted.shape);
      const std::string bytes = form_text(DType::u8, flat);
      return malformed(
          source, fmt::format("tensor \"{}\": expected {}{}, got {}", tensor.name, own,
                              bytes == own ? "" : " or " + bytes, form_text(it->dtype, it->shape)));
    }
    outputs.push_back(std::move(it->bytes));
    file.tensors.erase(it);
  }
  if (!file.tensors.empty()) {
    return malformed(
        source, fmt::format("tensor \"{}\": expected no such output", file.tensors.front().name));
  }
  return outputs;
}

}  // namespace harness
