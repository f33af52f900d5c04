#include "harness/files/problem_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/files/malformed.hpp"
#include "harness/files/sha256.hpp"
#include "harness/files/stored_form.hpp"
#include "harness/files/strict_json.hpp"
#include "harness/files/tensor_json.hpp"

namespace harness {
namespace {

constexpr std::string_view format_name = "fp4cts problem 1";
constexpr std::string_view expected_prefix = "expected.";
constexpr std::size_t max_tensors = 64;
const std::string no_digest(64, '0');
constexpr std::array<std::string_view, 5> own_metadata{"format", "operation", "scalars", "sha256",
                                                       "tensors"};

FileTensor stored(const Tensor& tensor, std::string name, const std::vector<std::uint8_t>& bytes) {
  StoredForm form = stored_form(tensor, bytes.size());
  return {std::move(name), form.dtype, std::move(form.shape), bytes};
}

// SHA-256 of the file as it is written with no_digest in its metadata.
Result<std::string> content_digest(TensorFile& file) {
  std::string& slot = file.metadata["sha256"];
  const std::string stated = std::exchange(slot, no_digest);
  const auto header = safetensors_header(file);
  slot = stated;
  if (!header) return tl::make_unexpected(header.error());
  Sha256 digest;
  digest.update(header->bytes);
  for (const std::size_t index : header->order) digest.update(file.tensors[index].bytes);
  return digest.hex();
}

// Whether every byte address of the view, from storage's first byte, fits in 63 bits and a sign.
bool addresses_fit(const Tensor& tensor) {
  const auto width = static_cast<std::int64_t>(element_bytes(tensor.dtype));
  std::int64_t reach = 0;
  bool overflow = tensor.origin_bytes == INT64_MIN;
  if (!overflow) reach = std::abs(tensor.origin_bytes);
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (overflow || tensor.strides[axis] == INT64_MIN) return false;
    std::int64_t span = std::abs(tensor.strides[axis]);
    overflow = __builtin_mul_overflow(span, tensor.shape[axis], &span) ||
               __builtin_mul_overflow(span, width, &span) ||
               __builtin_add_overflow(reach, span, &reach);
  }
  return !overflow;
}

Result<Tensor> tensor_from(const nlohmann::json& json, const std::string& place) {
  JsonObject object(json, place);
  Tensor tensor = tensor_from_json(object);
  if (tensor.strides.size() != tensor.shape.size()) {
    object.fault("strides", fmt::format("expected {} of them, one per axis, got {}",
                                        tensor.shape.size(), tensor.strides.size()));
  } else if (!tensor_bytes(tensor.dtype, tensor.shape) || !addresses_fit(tensor)) {
    object.fault("shape", "expected nonnegative axes, and addresses below 2^63 bytes");
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());
  return tensor;
}

// Moves the tensor `name` out of the file. Error: it is missing or stored in another form than
// `stored` would.
Result<std::vector<std::uint8_t>> take(TensorFile& file, const Tensor& tensor,
                                       const std::string& name, std::string_view source) {
  const auto it = std::find_if(file.tensors.begin(), file.tensors.end(),
                               [&](const FileTensor& candidate) { return candidate.name == name; });
  if (it == file.tensors.end()) {
    return malformed(source, fmt::format("expected a tensor \"{}\", got none", name));
  }
  const StoredForm expected = stored_form(tensor, it->bytes.size());
  if (it->dtype != expected.dtype || it->shape != expected.shape) {
    return malformed(source,
                     fmt::format("tensor \"{}\": expected {} [{}], got {} [{}]", name,
                                 harness::name_of(expected.dtype), fmt::join(expected.shape, ", "),
                                 harness::name_of(it->dtype), fmt::join(it->shape, ", ")));
  }
  std::vector<std::uint8_t> bytes = std::move(it->bytes);
  file.tensors.erase(it);
  return bytes;
}

Result<nlohmann::json> json_metadata(const TensorFile& file, const std::string& key,
                                     std::string_view source) {
  const auto it = file.metadata.find(key);
  if (it == file.metadata.end()) {
    return malformed(source, fmt::format("metadata: expected \"{}\", got none", key));
  }
  return parse_json(it->second, fmt::format("{}: metadata \"{}\"", source, key));
}

Result<void> check_identity(TensorFile& file, std::string_view source) {
  for (const char* key : {"format", "operation", "sha256"}) {
    if (!file.metadata.contains(key)) {
      return malformed(source, fmt::format("metadata: expected \"{}\", got none", key));
    }
  }
  if (file.metadata["format"] != format_name) {
    return malformed(source, fmt::format("metadata \"format\": expected \"{}\", got \"{}\"",
                                         format_name, file.metadata["format"]));
  }
  const auto digest = content_digest(file);
  if (!digest) return malformed(source, digest.error().message);
  if (*digest != file.metadata["sha256"]) {
    return malformed(source,
                     fmt::format("metadata \"sha256\": the contents give {}, the file states "
                                 "{}: it was changed after it was written",
                                 *digest, file.metadata["sha256"]));
  }
  return {};
}

Result<Problem> read_description(const TensorFile& file, std::string_view source) {
  Problem problem;
  problem.operation = file.metadata.at("operation");
  const auto scalars = json_metadata(file, "scalars", source);
  if (!scalars) return tl::make_unexpected(scalars.error());
  if (!scalars->is_object()) return malformed(source, "metadata \"scalars\": expected an object");
  const std::string place = fmt::format("{}: metadata \"scalars\"", source);
  JsonObject object(*scalars, place);
  for (const auto& [name, value] : scalars->items()) {
    problem.scalars[name] = object.integer(name.c_str(), INT64_MIN, INT64_MAX);
  }
  if (auto done = object.done(); !done) return tl::make_unexpected(done.error());

  const auto tensors = json_metadata(file, "tensors", source);
  if (!tensors) return tl::make_unexpected(tensors.error());
  if (!tensors->is_array()) return malformed(source, "metadata \"tensors\": expected an array");
  if (tensors->size() > max_tensors) {
    return malformed(source, fmt::format("metadata \"tensors\": expected at most {}, got {}",
                                         max_tensors, tensors->size()));
  }
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    auto tensor =
        tensor_from((*tensors)[i], fmt::format("{}: metadata \"tensors\": /{}", source, i));
    if (!tensor) return tl::make_unexpected(tensor.error());
    if (problem.find(tensor->name) != nullptr) {
      return malformed(
          source, fmt::format("metadata \"tensors\": /{}: name \"{}\" repeats", i, tensor->name));
    }
    problem.tensors.push_back(std::move(*tensor));
  }
  return problem;
}

}  // namespace

Result<TensorFile> to_tensor_file(const ProblemFile& file) {
  TensorFile out;
  out.metadata = file.facts;
  for (const std::string_view key : own_metadata) {
    if (file.facts.contains(std::string(key))) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("fact \"{}\": the name is taken", key));
    }
  }
  out.metadata["format"] = format_name;
  out.metadata["operation"] = file.problem.operation;
  out.metadata["scalars"] = nlohmann::json(file.problem.scalars).dump();
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  std::size_t output = 0;
  for (const Tensor& tensor : file.problem.tensors) {
    tensors.push_back(tensor_to_json(tensor));
    out.tensors.push_back(stored(tensor, tensor.name, tensor.storage));
    if (tensor.role != Role::output || !file.expected) continue;
    if (output >= file.expected->size() ||
        (*file.expected)[output].size() != tensor.storage.size()) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("output \"{}\": expected {} golden bytes, got {}",
                                      tensor.name, tensor.storage.size(),
                                      output < file.expected->size()
                                          ? std::to_string((*file.expected)[output].size())
                                          : "none"));
    }
    out.tensors.push_back(stored(tensor, fmt::format("{}{}", expected_prefix, tensor.name),
                                 (*file.expected)[output++]));
  }
  out.metadata["tensors"] = tensors.dump();
  auto digest = content_digest(out);
  if (!digest) return tl::make_unexpected(digest.error());
  out.metadata["sha256"] = std::move(*digest);
  return out;
}

Result<ProblemFile> problem_file_from(TensorFile file, std::string_view source) {
  if (auto same = check_identity(file, source); !same) return tl::make_unexpected(same.error());
  auto problem = read_description(file, source);
  if (!problem) return tl::make_unexpected(problem.error());

  ProblemFile out{std::move(*problem), std::nullopt, {}};
  const bool golden = std::any_of(
      file.tensors.begin(), file.tensors.end(),
      [](const FileTensor& tensor) { return tensor.name.starts_with(expected_prefix); });
  if (golden) out.expected.emplace();
  for (Tensor& tensor : out.problem.tensors) {
    auto storage = take(file, tensor, tensor.name, source);
    if (!storage) return tl::make_unexpected(storage.error());
    tensor.storage = std::move(*storage);
    if (tensor.role != Role::output || !golden) continue;
    auto expected = take(file, tensor, fmt::format("{}{}", expected_prefix, tensor.name), source);
    if (!expected) return tl::make_unexpected(expected.error());
    if (expected->size() != tensor.storage.size()) {
      return malformed(source,
                       fmt::format("tensor \"{}{}\": expected {} bytes, got {}", expected_prefix,
                                   tensor.name, tensor.storage.size(), expected->size()));
    }
    out.expected->push_back(std::move(*expected));
  }
  if (!file.tensors.empty()) {
    return malformed(
        source, fmt::format("tensor \"{}\": expected no such tensor", file.tensors.front().name));
  }
  out.facts = std::move(file.metadata);
  for (const std::string_view key : own_metadata) out.facts.erase(std::string(key));
  return out;
}

Result<void> write_problem_file(const std::filesystem::path& path, const ProblemFile& file) {
  return to_tensor_file(file).and_then(
      [&](const TensorFile& tensors) { return write_safetensors(path, tensors); });
}

Result<ProblemFile> read_problem_file(const std::filesystem::path& path) {
  auto file = read_safetensors(path);
  if (!file) return tl::make_unexpected(file.error());
  return problem_file_from(std::move(*file), path.string());
}

}  // namespace harness
