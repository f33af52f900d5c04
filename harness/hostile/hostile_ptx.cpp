#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "harness/hostile/targets.hpp"
#include "ptx/ptx.hpp"

namespace harness::hostile {
namespace {

// Of what a target launches: a hang of a few thousand instructions is one too.
constexpr std::uint64_t budget = 4096;
constexpr std::size_t range_bytes = 4096;

void launch(const ptx::Module& module, const ptx::Entry& entry) {
  std::vector<std::byte> in(range_bytes, std::byte{1});
  std::vector<std::byte> out(range_bytes);
  const std::vector<ptx::Range> memory = {
      {"in", ptx::address_of_range(0), in, ptx::Access::input},
      {"out", ptx::address_of_range(1), out, ptx::Access::output}};
  // Pointers by turns to what may be read and to what may be written.
  std::vector<std::byte> parameters(entry.parameter_bytes);
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += 8) {
    const std::uint64_t address = ptx::address_of_range(at / 8 % 2);
    std::copy_n(std::as_bytes(std::span{&address, 1}).begin(), 8,
                parameters.begin() + static_cast<std::ptrdiff_t>(at));
  }
  ptx::Launch launch;
  launch.entry = entry.name;
  launch.block = entry.required_threads[0] == 0 ? std::array<std::uint32_t, 3>{64, 1, 1}
                                                : entry.required_threads;
  launch.parameters = parameters;
  launch.memory = memory;
  launch.budget = budget;
  launch.most_findings = 8;
  const auto report = module.launch(launch);
  if (!report) {
    law(!report.error().message.empty(), "a launch that is refused says why");
    return;
  }
  law(report->completed || !report->findings.empty(), "what did not end has a finding");
  for (const ptx::Finding& finding : report->findings) {
    law(!finding.message.empty() && !finding.actors.empty(), "a finding says who and what");
  }
  law(std::all_of(in.begin(), in.end(), [](std::byte byte) { return byte == std::byte{1}; }),
      "an input stays what it was");
}

}  // namespace

// A text is refused with its line, or its entries either lack something, with lines, or run and
// end.
void hostile_ptx(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto module = ptx::Module::load(text, std::string(source));
  if (!module) {
    law(module.error().message.find(source) != std::string::npos, "an error names its source");
    law(module.error().line <= lines, "an error's line is one of the text's");
    return;
  }
  for (const ptx::Entry& entry : module->entries()) {
    for (const ptx::Lack& lack : entry.lacks) {
      law(lack.line >= 1 && lack.line <= lines && !lack.reason.empty(),
          "what is lacking has a line and a reason");
    }
    law(module->find(entry.name) != nullptr, "an entry is found by its name");
    launch(*module, entry);
  }
}

}  // namespace harness::hostile
