#include "harness/run/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace harness {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

tl::unexpected<Error> out_of_range(std::string_view what, std::string_view actual) {
  return oracle::fail(
      ErrorCode::out_of_range,
      fmt::format("{}: expected I/N with 0 <= I < N, as 0/4 to 3/4; got {}", what, actual));
}

Result<std::uint64_t> number_of(const char* name, const char* text) {
  if (text == nullptr) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("{} is not set, and the shard depends on it", name));
  }
  const auto value = number(text);
  if (!value) {
    return oracle::fail(ErrorCode::out_of_range,
                        fmt::format("{}: expected a number, got '{}'", name, text));
  }
  return *value;
}

Result<Shard> checked(std::string_view what, std::uint64_t index, std::uint64_t count) {
  if (index >= count) return out_of_range(what, fmt::format("{}/{}", index, count));
  return Shard{index, count};
}

}  // namespace

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto index = number(text.substr(0, slash));
  const auto count =
      slash == std::string_view::npos ? std::nullopt : number(text.substr(slash + 1));
  if (!index || !count) return out_of_range("shard", fmt::format("'{}'", text));
  return checked("shard", *index, *count);
}

Result<Shard> shard_of_environment(const char* (*variable)(const char* name)) {
  constexpr const char* slurm_id = "SLURM_ARRAY_TASK_ID";
  constexpr const char* slurm_count = "SLURM_ARRAY_TASK_COUNT";
  constexpr const char* slurm_min = "SLURM_ARRAY_TASK_MIN";
  constexpr const char* job_index = "JOB_COMPLETION_INDEX";
  constexpr const char* job_count = "FP4CTS_SHARD_COUNT";
  if (const char* id_text = variable(slurm_id); id_text != nullptr) {
    const auto id = number_of(slurm_id, id_text);
    const auto count = number_of(slurm_count, variable(slurm_count));
    const char* min_text = variable(slurm_min);
    const auto min = number_of(slurm_min, min_text == nullptr ? "0" : min_text);
    for (const auto* value : {&id, &count, &min}) {
      if (!*value) return tl::make_unexpected(value->error());
    }
    if (*id < *min) return out_of_range(slurm_id, fmt::format("{} below {}", *id, *min));
    return checked(slurm_id, *id - *min, *count);
  }
  if (const char* index_text = variable(job_index); index_text != nullptr) {
    const auto index = number_of(job_index, index_text);
    const auto count = number_of(job_count, variable(job_count));
    for (const auto* value : {&index, &count}) {
      if (!*value) return tl::make_unexpected(value->error());
    }
    return checked(job_index, *index, *count);
  }
  return Shard{};
}

}  // namespace harness
