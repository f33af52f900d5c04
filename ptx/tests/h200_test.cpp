// The golden sweep: what an H200 gave for each input of each form; see data/h200/README.md.
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/tests/running.hpp"

namespace ptx {
namespace {

struct Recorded {
  std::string entry;
  std::string name;
  std::vector<std::byte> inputs;
  std::vector<std::uint64_t> outputs;
};

std::vector<Recorded> recorded() {
  const std::string all = text_of(FP4CTS_PTX_H200_FILE);
  std::vector<Recorded> result;
  std::size_t at = 0;
  const auto take = [&](void* to, std::size_t bytes) {
    ASSERT_LE(at + bytes, all.size());
    std::memcpy(to, all.data() + at, bytes);
    at += bytes;
  };
  while (at < all.size()) {
    std::uint32_t lengths[2] = {};
    take(lengths, sizeof lengths);
    Recorded form;
    form.entry.resize(lengths[0]);
    take(form.entry.data(), lengths[0]);
    form.name.resize(lengths[1]);
    take(form.name.data(), lengths[1]);
    std::uint32_t rows = 0;
    take(&rows, sizeof rows);
    form.inputs.resize(std::size_t{rows} * 32);
    take(form.inputs.data(), form.inputs.size());
    form.outputs.resize(rows);
    take(form.outputs.data(), std::size_t{rows} * 8);
    result.push_back(std::move(form));
  }
  return result;
}

TEST(H200, EveryExecutedFormGivesTheSameBytes) {
  const auto module = Module::load(text_of(FP4CTS_PTX_TEST_DATA "/h200/ops.ptx"), "ops.ptx");
  ASSERT_TRUE(module) << module.error().message;
  // The ISA bounds the error of these and says no bits.
  const std::set<std::string> approximate = {"rcp.approx",     "rcp.approx.ftz", "ex2.approx",
                                             "ex2.approx.ftz", "lg2.approx",     "rsqrt.approx",
                                             "sqrt.approx"};
  std::set<std::string> refused;
  std::size_t forms = 0;
  std::size_t inputs = 0;
  for (const Recorded& form : recorded()) {
    const Entry* entry = module->find(form.entry);
    ASSERT_NE(entry, nullptr) << form.entry;
    if (!entry->lacks.empty()) {
      const std::string& text = entry->lacks.front().text;
      const std::string opcode = text.substr(0, text.find(".f32"));
      EXPECT_TRUE(approximate.contains(opcode)) << text << ": " << entry->lacks.front().reason;
      refused.insert(opcode);
      continue;
    }
    std::vector<std::byte> in = form.inputs;
    std::vector<std::uint64_t> out(form.outputs.size());
    const std::vector<Range> memory = {
        {"in", address_of_range(0), in, Access::input},
        {"out", address_of_range(1), std::as_writable_bytes(std::span{out}), Access::output}};
    struct {
      std::uint64_t in, out;
      std::uint32_t count;
    } arguments = {memory[0].address, memory[1].address, static_cast<std::uint32_t>(out.size())};
    Launch launch;
    launch.entry = form.entry;
    launch.grid = {(arguments.count + 127) / 128, 1, 1};
    launch.block = {128, 1, 1};
    launch.parameters = std::as_bytes(std::span{&arguments, 1}).first(20);
    launch.memory = memory;
    const auto report = module->launch(launch);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->clean()) << form.name << ": "
                                 << (report->findings.empty() ? ""
                                                              : report->findings.front().message);
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < out.size(); ++row) {
      if (out[row] == form.outputs[row]) continue;
      if (wrong++ != 0) continue;
      std::uint64_t words[4];
      std::memcpy(words, form.inputs.data() + (32 * row), sizeof words);
      ADD_FAILURE() << form.name << " (" << form.entry << ") row " << row << std::hex << ": inputs "
                    << words[0] << " " << words[1] << " " << words[2] << " " << words[3]
                    << ": expected " << form.outputs[row] << ", got " << out[row];
    }
    EXPECT_EQ(wrong, 0U) << form.name << ": of " << out.size();
    ++forms;
    inputs += out.size();
  }
  EXPECT_EQ(refused, approximate);
  EXPECT_EQ(forms, 296U);
  RecordProperty("inputs", static_cast<int>(inputs));
  EXPECT_EQ(inputs, FP4CTS_PTX_H200_INPUTS);
}

}  // namespace
}  // namespace ptx
