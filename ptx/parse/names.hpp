// Register names in nested scopes. ".reg .b32 %r<4>" declares %r0 to %r3; only those that are used
// get a number, so that a declaration of four thousand million of them costs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/parse/syntax.hpp"

namespace ptx::parse {

class Names {
 public:
  explicit Names(Body& body) : body_(body) { open(); }

  void open();
  [[nodiscard]] bool close();  // false: the entry's own scope stays
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  [[nodiscard]] std::uint32_t scope() const { return open_.back().scope; }

  // Declares `name`, or with a count name0 .. name(count-1). False: it is there already.
  [[nodiscard]] bool declare(std::string_view name, std::optional<std::uint32_t> count,
                             std::uint32_t bits);
  // The number of the register that this name means here.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name);

 private:
  struct Declared {
    std::optional<std::uint32_t> count;
    std::uint32_t bits{};
  };
  struct Open {
    std::uint32_t scope{};
    std::map<std::string, Declared, std::less<>> declared;
    std::map<std::string, std::uint32_t, std::less<>> numbers;
  };

  std::uint32_t number(Open& open, std::string_view name, std::uint32_t bits);

  Body& body_;
  std::vector<Open> open_;
};

}  // namespace ptx::parse
