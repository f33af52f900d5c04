// The command line over fakes: a CPU with one implementation for each behaviour, and no GPU.
#include "cli/suite.hpp"
#include "fake_implementation.hpp"
#include "fake_operation.hpp"
#include "harness/results.hpp"

namespace harness::fakes {
namespace {

Result<OpenedSource> survey(const nlohmann::json& /*spec*/) {
  const DeviceInfo cpu{"cpu", "a fake CPU", "none", std::uint64_t{1} << 30, {}};
  OpenedSource source;
  source.facts["present"].push_back(to_json(cpu));
  source.facts["absent"] = nlohmann::ordered_json::parse(
      R"([{"kind": "cuda", "reason": "libcuda.so.1 was not found"},
          {"kind": "hip", "reason": "libamdhip64.so was not found"}])");
  return source;
}

Result<OpenedSource> builtin(const nlohmann::json& spec) {
  std::vector<std::string> behaviours = all_behaviours();
  behaviours.emplace_back("qmul4");  // known, and not available
  return fake_kinds().at("fake")({{"device", spec.at("device")}, {"behaviours", behaviours}});
}

}  // namespace
}  // namespace harness::fakes

int main(int argc, char** argv) {
  using harness::Operation;
  static const harness::fakes::FakeOperation operation;
  static const Operation* const operations[] = {&operation};
  harness::cli::Suite suite;
  suite.operations = operations;
  suite.kinds = {{"survey", harness::fakes::survey}, {"builtin", harness::fakes::builtin}};
  return harness::cli::run_command_line(argc, argv, suite);
}
