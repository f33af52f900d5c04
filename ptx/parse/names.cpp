#include "ptx/parse/names.hpp"

#include <charconv>

namespace ptx::parse {

void Names::open() {
  const auto scope = static_cast<std::uint32_t>(body_.scopes.size());
  body_.scopes.push_back(
      {.parent = open_.empty() ? 0 : open_.back().scope, .labels = {}, .variables = {}});
  open_.push_back({.scope = scope, .declared = {}, .numbers = {}});
}

bool Names::close() {
  if (open_.size() == 1) return false;
  open_.pop_back();
  return true;
}

bool Names::declare(std::string_view name, std::optional<std::uint32_t> count, std::uint32_t bits) {
  return open_.back().declared.emplace(std::string{name}, Declared{count, bits}).second;
}

std::uint32_t Names::number(Open& open, std::string_view name, std::uint32_t bits) {
  const auto next = static_cast<std::uint32_t>(body_.registers.size());
  const auto [at, added] = open.numbers.emplace(std::string{name}, next);
  if (added) body_.registers.push_back({std::string{name}, bits});
  return at->second;
}

std::optional<std::uint32_t> Names::find(std::string_view name) {
  for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
    if (const auto known = open->numbers.find(name); known != open->numbers.end())
      return known->second;
    if (const auto whole = open->declared.find(name);
        whole != open->declared.end() && !whole->second.count) {
      return number(*open, name, whole->second.bits);
    }
    // "%r12" may be number 12 of %r or number 2 of %r1.
    for (std::size_t cut = name.size(); cut > 1 && name[cut - 1] >= '0' && name[cut - 1] <= '9';) {
      --cut;
      const std::string_view digits = name.substr(cut);
      if (digits.size() > 1 && digits.front() == '0') continue;
      const auto family = open->declared.find(name.substr(0, cut));
      if (family == open->declared.end() || !family->second.count) continue;
      std::uint32_t index = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (read.ec == std::errc{} && index < *family->second.count) {
        return number(*open, name, family->second.bits);
      }
    }
  }
  return std::nullopt;
}

}  // namespace ptx::parse
