// Which reads of registers must be watched: those that some path reaches without setting the
// register. On all others nothing is checked at run time.
#include <algorithm>
#include <map>

#include "ptx/decode/decoder.hpp"

namespace ptx::decode {
namespace {

using execute::Flow;
using execute::Operation;
using Bits = std::vector<std::uint64_t>;

struct Block {
  std::uint32_t begin{};
  std::uint32_t end{};
  Bits at_begin;  // registers set on every path to here
  bool reached{};
};

bool has(const Bits& bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64) & 1U) != 0; }
void set(Bits& bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

std::vector<Block> blocks_of(const std::vector<Operation>& operations) {
  const auto size = static_cast<std::uint32_t>(operations.size());
  std::vector<std::uint32_t> leaders = {0};
  for (std::uint32_t pc = 0; pc < size; ++pc) {
    if (operations[pc].flow != Flow::branch && operations[pc].flow != Flow::exit) continue;
    leaders.push_back(pc + 1);
    if (operations[pc].flow == Flow::branch) leaders.push_back(operations[pc].target);
  }
  std::sort(leaders.begin(), leaders.end());
  leaders.erase(std::unique(leaders.begin(), leaders.end()), leaders.end());
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < leaders.size() && leaders[i] < size; ++i) {
    blocks.push_back(
        {leaders[i], i + 1 < leaders.size() ? std::min(leaders[i + 1], size) : size, {}, false});
  }
  return blocks;
}

}  // namespace

void watch_unset(const parse::Body& body, const std::vector<Uses>& uses,
                 execute::Program& program) {
  std::vector<Operation>& operations = program.operations;
  if (operations.empty()) return;
  std::vector<Block> blocks = blocks_of(operations);
  std::map<std::uint32_t, std::size_t> starts;
  for (std::size_t i = 0; i < blocks.size(); ++i) starts[blocks[i].begin] = i;
  const std::size_t words = (body.registers.size() + 63) / 64;
  blocks[0].at_begin.assign(words, 0);
  blocks[0].reached = true;
  const auto unconditional = [&](std::uint32_t pc) {
    return operations[pc].guard == execute::slot_true;
  };
  std::vector<std::size_t> work = {0};
  while (!work.empty()) {
    const std::size_t index = work.back();
    work.pop_back();
    Bits now = blocks[index].at_begin;
    for (std::uint32_t pc = blocks[index].begin; pc < blocks[index].end; ++pc) {
      if (!unconditional(pc)) continue;
      for (const std::uint32_t reg : uses[pc].written) set(now, reg);
    }
    const std::uint32_t last = blocks[index].end - 1;
    std::vector<std::uint32_t> next;
    const Flow flow = operations[last].flow;
    if (flow == Flow::branch) next.push_back(operations[last].target);
    if ((flow != Flow::branch && flow != Flow::exit) || !unconditional(last))
      next.push_back(last + 1);
    for (const std::uint32_t pc : next) {
      const auto at = starts.find(pc);
      if (at == starts.end()) continue;  // behind the end
      Block& to = blocks[at->second];
      if (!to.reached) {
        to.reached = true;
        to.at_begin = now;
        work.push_back(at->second);
        continue;
      }
      bool changed = false;
      for (std::size_t i = 0; i < words; ++i) {
        const std::uint64_t both = to.at_begin[i] & now[i];
        changed = changed || both != to.at_begin[i];
        to.at_begin[i] = both;
      }
      if (changed) work.push_back(at->second);
    }
  }
  // The reads that remain, then all that sets these registers.
  std::map<std::uint32_t, std::uint32_t> numbers;
  program.watched.resize(operations.size());
  const auto number = [&](std::uint32_t reg) {
    const auto [at, added] = numbers.emplace(reg, static_cast<std::uint32_t>(numbers.size()));
    if (added) program.watched_names.push_back(body.registers[reg].name);
    return at->second;
  };
  for (const Block& block : blocks) {
    if (!block.reached) continue;
    Bits now = block.at_begin;
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) {
      if (body.instructions[pc].guarded && !has(now, body.instructions[pc].guard)) {
        program.watched[pc].guard.push_back(number(body.instructions[pc].guard));
      }
      for (const std::uint32_t reg : uses[pc].read) {
        if (uses[pc].matter && !has(now, reg)) program.watched[pc].read.push_back(number(reg));
      }
      if (!unconditional(pc)) continue;
      for (const std::uint32_t reg : uses[pc].written) set(now, reg);
    }
  }
  program.watched_registers = static_cast<std::uint32_t>(numbers.size());
  for (std::uint32_t pc = 0; pc < operations.size(); ++pc) {
    for (const std::uint32_t reg : uses[pc].written) {
      if (const auto at = numbers.find(reg); at != numbers.end())
        program.watched[pc].written.push_back(at->second);
    }
    const execute::Watched& watched = program.watched[pc];
    operations[pc].watched =
        !watched.guard.empty() || !watched.read.empty() || !watched.written.empty();
  }
}

}  // namespace ptx::decode
