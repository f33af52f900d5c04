#include "vectors/src/case_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/model/operation.hpp"

namespace harness {
namespace {

std::string call_path(std::string_view set, const Case& test, std::size_t call) {
  const std::string suffix = call == 0 ? std::string() : fmt::format(".call{}", call);
  return fmt::format("{}/{}{}.safetensors", set, test.id, suffix);
}

bool same_call(const Problem& a, const Problem& b) {
  const auto same_tensor = [](const Tensor& x, const Tensor& y) {
    return x.shape == y.shape && x.strides == y.strides && x.origin_bytes == y.origin_bytes &&
           x.storage == y.storage;
  };
  return a.scalars == b.scalars && std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(),
                                              b.tensors.end(), same_tensor);
}

// The calls that differ from all before them: files cannot show that a call was made again.
std::vector<std::size_t> distinct_calls(const std::vector<Problem>& calls) {
  std::vector<std::size_t> distinct;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](std::size_t before) { return same_call(calls[before], calls[call]); })) {
      distinct.push_back(call);
    }
  }
  return distinct;
}

Result<Level> level_of(std::string_view name) {
  const auto level = level_named(name);
  if (level) return *level;
  return oracle::fail(ErrorCode::unknown_name, fmt::format("level \"{}\"", name));
}

Result<void> make_case(const Operation& operation, const Case& test, std::string_view set,
                       std::uint64_t seed, const TakeVector& take) {
  const oracle::Profile& profile = oracle::profiles::ocp();
  const auto calls = operation.build(test.spec);
  if (!calls) return tl::make_unexpected(calls.error());
  for (const std::size_t call : distinct_calls(*calls)) {
    ProblemFile file{(*calls)[call], std::nullopt, {}};
    auto expected = operation.expected(file.problem, profile);
    if (!expected) return tl::make_unexpected(expected.error());
    file.expected = std::move(*expected);
    file.facts = {{"call", std::to_string(call)},
                  {"calls", std::to_string(calls->size())},
                  {"case", test.id},
                  {"comment", test.comment},
                  {"profile", profile.name},
                  {"seed", std::to_string(seed)},
                  {"set", std::string(set)},
                  {"source", std::string(vector_source)},
                  {"spec", test.spec.dump()}};
    if (auto taken = take(call_path(set, test, call), file); !taken) return taken;
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> case_set_paths(std::string_view level_name, std::uint64_t seed) {
  return level_of(level_name).map([&](Level level) {
    std::vector<std::string> paths;
    for (const Operation* operation : all_operations()) {
      for (const Case& test : operation->cases(level, seed)) {
        paths.push_back(call_path(level_name, test, 0));
      }
    }
    return paths;
  });
}

Result<void> make_case_set(std::string_view level_name, std::uint64_t seed,
                           const TakeVector& take) {
  const auto level = level_of(level_name);
  if (!level) return tl::make_unexpected(level.error());
  for (const Operation* operation : all_operations()) {
    for (const Case& test : operation->cases(*level, seed)) {
      if (auto made = make_case(*operation, test, level_name, seed, take); !made) return made;
    }
  }
  return {};
}

}  // namespace harness
