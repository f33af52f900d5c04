#include "ptx/ptx.hpp"

#include <algorithm>
#include <set>

#include "ptx/decode/decoder.hpp"
#include "ptx/execute/machine.hpp"
#include "ptx/parse/syntax.hpp"

namespace ptx {

struct Module::State {
  std::string name;
  std::string text;
  parse::ModuleText module;
  std::vector<Entry> entries;
  std::vector<std::unique_ptr<const execute::Program>>
      programs;  // they hold pointers into themselves
};

Result<Module> Module::load(std::string_view text, std::string name) {
  auto state = std::make_shared<State>();
  state->name = std::move(name);
  state->text = std::string{text};
  auto read = parse::read(state->text);
  if (!read) {
    const std::string where =
        state->name +
        (read.error().line != 0 ? ":" + std::to_string(read.error().line) : std::string{});
    return fail(read.error().line, where + ": " + read.error().message);
  }
  state->module = std::move(*read);
  for (parse::Body& body : state->module.bodies) {
    std::vector<Lack> lacks = std::move(body.cannot);
    state->programs.push_back(
        std::make_unique<execute::Program>(decode::decode(state->module, body, lacks)));
    std::stable_sort(lacks.begin(), lacks.end(),
                     [](const Lack& a, const Lack& b) { return a.line < b.line; });
    state->entries.push_back(body.entry);
    state->entries.back().lacks = std::move(lacks);
  }
  Module module;
  module.state_ = std::move(state);
  return module;
}

const std::string& Module::version() const { return state_->module.version; }
const std::string& Module::target() const { return state_->module.target; }
std::span<const Entry> Module::entries() const { return state_->entries; }

const Entry* Module::find(std::string_view entry) const {
  for (const Entry& each : state_->entries) {
    if (each.name == entry) return &each;
  }
  return nullptr;
}

namespace {

std::string triple(const std::array<std::uint32_t, 3>& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

Result<bool> fits(const parse::ModuleText& module, const Entry& entry, const Launch& launch) {
  const std::string where = "launch of " + entry.name + ": ";
  if (!entry.lacks.empty()) {
    const Lack& first = entry.lacks.front();
    return fail(first.line, where + std::to_string(entry.lacks.size()) +
                                " instructions are not executed, the first in line " +
                                std::to_string(first.line) + ": `" + first.text +
                                "`: " + first.reason);
  }
  if (launch.parameters.size() != entry.parameter_bytes) {
    return fail(0, where + "expected " + std::to_string(entry.parameter_bytes) +
                       " bytes of parameters, got " + std::to_string(launch.parameters.size()));
  }
  std::uint64_t threads = 1;
  std::uint64_t blocks = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (launch.block[axis] == 0 || launch.block[axis] > 1024) {
      return fail(0, where + "a block of " + triple(launch.block) + " threads");
    }
    threads *= launch.block[axis];
    blocks *= launch.grid[axis];
    if (blocks > 0x7fff'ffffU)
      return fail(0, where + "a grid of " + triple(launch.grid) + " blocks");
    if (entry.required_threads[axis] != 0 && entry.required_threads[axis] != launch.block[axis]) {
      return fail(0, where + "expected a block of " + triple(entry.required_threads) +
                         " threads (.reqntid), got " + triple(launch.block));
    }
  }
  std::uint64_t most = 1024;
  if (entry.most_threads[0] != 0) {
    most = std::uint64_t{entry.most_threads[0]} * entry.most_threads[1] * entry.most_threads[2];
  }
  if (threads > most) {
    return fail(0, where + "expected at most " + std::to_string(most) + " threads a block, got " +
                       std::to_string(threads));
  }
  constexpr std::uint32_t most_shared = 227U << 10U;
  if (std::uint64_t{entry.shared_bytes} + launch.dynamic_shared_bytes > most_shared) {
    return fail(0, where + "a block has at most " + std::to_string(most_shared) +
                       " bytes of shared memory");
  }
  if (launch.dynamic_shared_bytes != 0 && !entry.takes_dynamic_shared) {
    return fail(0, where + "dynamic shared memory, which it does not declare");
  }
  if (launch.variables != nullptr && !launch.variables->empty() &&
      launch.variables->size() != module.global_bytes) {
    return fail(0, where + "expected " + std::to_string(module.global_bytes) +
                       " bytes of variables of the module, got " +
                       std::to_string(launch.variables->size()));
  }
  for (std::size_t i = 0; i < launch.memory.size(); ++i) {
    const Range& a = launch.memory[i];
    if (a.address < (std::uint64_t{1} << 42U) || a.address + a.bytes.size() < a.address) {
      return fail(0, where + "range " + a.name +
                         " has an address below 2^42, which is the module's own, or passes 2^64");
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Range& b = launch.memory[j];
      if (a.address < b.address + b.bytes.size() && b.address < a.address + a.bytes.size()) {
        return fail(0, where + "ranges " + b.name + " and " + a.name + " overlap");
      }
    }
  }
  return true;
}

}  // namespace

Result<Report> Module::launch(const Launch& launch) const {
  const auto index = static_cast<std::size_t>(
      std::find_if(state_->entries.begin(), state_->entries.end(),
                   [&](const Entry& each) { return each.name == launch.entry; }) -
      state_->entries.begin());
  if (index == state_->entries.size())
    return fail(0, state_->name + " has no entry " + launch.entry);
  const auto may = fits(state_->module, state_->entries[index], launch);
  if (!may) return tl::make_unexpected(may.error());
  return execute::Machine(state_->module, *state_->programs[index], launch, state_->name).run();
}

std::vector<std::string> accepted_forms() {
  std::set<std::string> forms = {
      "ld{.volatile|.weak}.{global|shared|shared::cta|param|const}{.ca|.cg|.cs|.lu|.cv}{.nc}{.L1::*"
      "}{.L2::*}"
      "{.v2|.v4|.v8}.{b8..b64|u8..u64|s8..s64|f32|f64}",
      "st{.volatile|.weak}.{global|shared|shared::cta}{.wb|.cg|.cs|.wt}{.L1::*}{.L2::*}{.v2|.v4|."
      "v8}"
      ".{b8..b64|u8..u64|s8..s64|f32|f64}",
      "cp.async.{ca|cg}.{shared|shared::cta}.global{.L2::cache_hint}{.L2::64B|.L2::128B|.L2::256B}",
      "cp.async.bulk.prefetch.L2.global",
      "prefetch.global.{L1|L2}",
      "{ldmatrix|stmatrix}.sync.aligned.m8n8.{x1|x2|x4}{.trans}.{shared|shared::cta}.b16",
      "mov.{b16|b32|b64} of and into {elements}"};
  for (const auto& [spelling, form] : decode::table().forms())
    forms.insert(spelling.substr(0, spelling.find(' ')));
  return {forms.begin(), forms.end()};
}

}  // namespace ptx
