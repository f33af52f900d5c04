#include "harness/fakes/fake_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::fakes {

std::vector<Case> FakeOperation::cases(Level level, std::uint64_t seed) const {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, Level at, int bytes, int tail, int calls) {
    Case added;
    added.operation = name_;
    added.id = name_ + '/' + name;
    added.comment = "fake";
    added.level = at;
    added.spec = {{"bytes", bytes}, {"tail", tail}, {"calls", calls}, {"seed", seed}};
    added.device_bytes = static_cast<std::uint64_t>(bytes);
    if (at <= level) cases.push_back(std::move(added));
  };
  add("one", Level::smoke, 64, 16, 1);
  add("large", Level::standard, 100000, 7, 1);
  add("no_tail", Level::standard, 256, 0, 1);
  add("three_calls", Level::full, 64, 16, 3);
  return cases;
}

Result<std::vector<Problem>> FakeOperation::build(const nlohmann::json& spec) const {
  const auto bytes = spec.at("bytes").get<std::size_t>();
  const auto tail = spec.at("tail").get<std::size_t>();
  std::vector<Problem> calls;
  for (int call = 0; call < spec.at("calls").get<int>(); ++call) {
    Problem problem;
    problem.operation = name_;
    Tensor in{"in", Role::input, DType::u8, {static_cast<std::int64_t>(bytes)}, {1}, 0, {}, 0};
    for (std::size_t i = 0; i < bytes; ++i) {
      in.storage.push_back(static_cast<std::uint8_t>(3 * i + 1 + static_cast<std::size_t>(call)));
    }
    Tensor out{"out", Role::output, DType::u8, {static_cast<std::int64_t>(bytes)}, {1}, 0, {}, 16};
    out.storage.assign(bytes + tail, 0xa5);
    problem.tensors = {std::move(in), std::move(out)};
    problem.scalars["call"] = call;
    calls.push_back(std::move(problem));
  }
  return calls;
}

nlohmann::json FakeOperation::random_spec(std::uint64_t seed) const {
  return {{"bytes", seed % 100 + 1}, {"tail", 0}, {"calls", 1}, {"seed", seed}};
}

std::vector<nlohmann::json> FakeOperation::smaller_specs(const nlohmann::json& spec) const {
  std::vector<nlohmann::json> smaller;
  const auto bytes = spec.at("bytes").get<int>();
  for (const int fewer : {bytes / 2, bytes - 1}) {
    if (fewer < 1) continue;
    smaller.push_back(spec);
    smaller.back()["bytes"] = fewer;
  }
  return smaller;
}

Status FakeOperation::validate(const Problem& /*problem*/) const { return {}; }

Result<Outputs> FakeOperation::expected(const Problem& problem,
                                        const oracle::Profile& /*profile*/) const {
  const Tensor& in = *problem.find("in");
  std::vector<std::uint8_t> out = problem.find("out")->storage;
  std::transform(in.storage.begin(), in.storage.end(), out.begin(),
                 [](std::uint8_t byte) { return static_cast<std::uint8_t>(2 * byte); });
  return Outputs{std::move(out)};
}

const Signature& FakeOperation::signature() const {
  static const Signature signature = [] {
    const auto bytes = [](std::string_view name, Role role) {
      TensorSignature tensor;
      tensor.name = name;
      tensor.role = role;
      tensor.dtypes = {DType::u8};
      tensor.axes = {{.name = "bytes"}};
      return tensor;
    };
    Signature s;
    s.operation = "doubling";
    s.tensors = {bytes("in", Role::input), bytes("out", Role::output)};
    s.scalars = {{.name = "call"}};
    return s;
  }();
  return signature;
}

Diagnosis FakeOperation::diagnose(std::span<const Problem> calls,
                                  const oracle::Profile& /*profile*/, const Outputs& expected,
                                  const Outputs& actual) const {
  Diagnosis diagnosis;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    if (expected[0][i] == actual[0][i]) continue;
    ++diagnosis.mismatches;
    if (diagnosis.first.size() == Diagnosis::max_listed) continue;
    Mismatch mismatch;
    mismatch.tensor = "out";
    mismatch.byte = i;
    mismatch.expected = expected[0][i];
    mismatch.actual = actual[0][i];
    mismatch.site = {{"call", calls.size() - 1}, {"byte", i}};
    mismatch.text =
        fmt::format("out byte {}: expected {:#04x}, got {:#04x}", i, expected[0][i], actual[0][i]);
    diagnosis.first.push_back(std::move(mismatch));
  }
  return diagnosis;
}

std::uint64_t FakeOperation::bytes_moved(const Problem& problem) const {
  return 2 * problem.find("in")->storage.size();
}

void FakeOperation::cover(const Problem& problem, Coverage& coverage) const {
  coverage.add(fmt::format("calls/{}", problem.scalars.at("call") + 1));
}

}  // namespace harness::fakes
