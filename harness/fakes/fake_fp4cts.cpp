// The command line over fakes: a CPU with one implementation for each behaviour, and no GPU.
#include <cstdlib>
#include <memory>
#include <string>

#include "harness/cli/suite.hpp"
#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"
#include "harness/files/file.hpp"
#include "harness/implementations/program/program_source.hpp"
#include "harness/results/records/results.hpp"

namespace harness::fakes {
namespace {

Result<OpenedSource> survey(const nlohmann::json& /*spec*/) {
  const DeviceInfo cpu{"cpu", "a fake CPU", "none", std::uint64_t{1} << 30, {}};
  OpenedSource source;
  source.facts["present"].push_back(to_json(cpu));
  source.facts["absent"] = nlohmann::ordered_json::parse(
      R"([{"kind": "hip", "reason": "libamdhip64.so was not found"}])");
  // A GPU that no kernel is for, where a test puts one in.
  if (std::getenv("FAKE_OLD_GPU") != nullptr) {
    source.facts["present"].push_back(
        to_json(DeviceInfo{"cuda:0", "A fake T4, compute capability 7.5", "sm_75", 0, {}}));
  } else {
    source.facts["absent"].insert(
        source.facts["absent"].begin(),
        nlohmann::ordered_json{{"kind", "cuda"}, {"reason", "libcuda.so.1 was not found"}});
  }
  // A GPU without its runtime, where a test puts one in.
  source.facts["gpus"] = nlohmann::ordered_json::array();
  if (const char* const what = std::getenv("FAKE_GPU"); what != nullptr) {
    source.facts["gpus"].push_back({{"kind", "cuda"}, {"what", what}});
  }
  return source;
}

Result<OpenedSource> builtin(const nlohmann::json& spec) {
  std::vector<std::string> behaviours;
  if (spec.at("device") == "cpu") behaviours = all_behaviours();
  behaviours.emplace_back("qmul4");  // known, and not available
  return fake_kinds().at("fake")({{"device", spec.at("device")}, {"behaviours", behaviours}});
}

// A fake behaviour that came from a file.
class FakePlugin final : public GuardedImplementation {
 public:
  FakePlugin(const nlohmann::json& file, const std::string& origin, const std::string& device)
      : behaviour_(fake_implementation(file.at("name").get<std::string>(), device)) {
    info_ = behaviour_->info();
    info_.origin = origin;
    info_.profile = file.at("profile").get<std::string>();
  }
  std::uint64_t edge_granularity() const override { return behaviour_->edge_granularity(); }
  Result<double> run(const Problem& problem, const CallMemory& memory) override {
    return behaviour_->run(problem, memory);
  }

 private:
  std::unique_ptr<GuardedImplementation> behaviour_;
};

// A "library" of the tests begins as one does and ends in JSON: {"name": behaviour, "profile",
// "device_kinds"}, or {"open": "crashes"} as fake_kinds has it.
Result<OpenedSource> library(const nlohmann::json& spec) {
  const auto origin = spec.at("origin").get<std::string>();
  const auto text = read_text_file(origin, std::uint64_t{1} << 20);
  if (!text) return tl::make_unexpected(text.error());
  const auto file = nlohmann::json::parse(text->substr(text->find('{')));
  if (file.contains("open")) return fake_kinds().at("fake")(file);
  OpenedSource source;
  if (!spec.contains("device")) {
    source.facts = file;
  } else {
    source.facts = nlohmann::ordered_json::object();
    source.implementations.push_back(
        std::make_unique<FakePlugin>(file, origin, spec.at("device").get<std::string>()));
  }
  return source;
}

}  // namespace
}  // namespace harness::fakes

int main(int argc, char** argv) {
  using harness::Operation;
  static const harness::fakes::FakeOperation operation;
  static const Operation* const operations[] = {&operation};
  harness::cli::Suite suite;
  suite.operations = operations;
  suite.kinds = {{"survey", harness::fakes::survey},
                 {"builtin", harness::fakes::builtin},
                 {"library", harness::fakes::library},
                 {"program", harness::program_kind(operations)}};
  return harness::cli::run_command_line(argc, argv, suite);
}
