#include <fmt/format.h>

#include <algorithm>

#include "properties/faults/page_sites.hpp"

namespace properties {
namespace {

// What a store does to an element that stands at a place.
struct Store {
  std::string_view name;
  std::vector<std::string_view> truths;
  void (*store)(std::uint8_t* bytes, const std::uint8_t* fill, std::size_t width);
};
const std::vector<Store>& stores() {
  static const std::vector<Store> all{
      {"not_written",
       {"stale_bytes", "not_written"},
       [](std::uint8_t* b, const std::uint8_t* fill, std::size_t n) { std::copy_n(fill, n, b); }},
      {"zeroed",
       {"zeros_written"},
       [](std::uint8_t* b, const std::uint8_t*, std::size_t n) { std::fill_n(b, n, 0); }},
      // What most outputs are filled with, written: the run under the inverted fill tells.
      {"set_to_a5",
       {},
       [](std::uint8_t* b, const std::uint8_t*, std::size_t n) { std::fill_n(b, n, 0xa5); }},
      {"set_to_ff",
       {},
       [](std::uint8_t* b, const std::uint8_t*, std::size_t n) { std::fill_n(b, n, 0xff); }},
  };
  return all;
}

Mutant store_mutant(std::string_view operation, const Store& store, const Place& place) {
  Mutant mutant{
      fmt::format("{}_{}_{}", operation, store.name, place.name), operation, store.truths, {}};
  const bool tail =
      place.name == "upper_tokens" || place.name == "last_group" || place.name.starts_with("later");
  if (tail && store.name == "not_written") mutant.truths.emplace_back("unwritten_tail");
  mutant.spoil = [&store, place](const harness::Problem& call, harness::Outputs& outputs) {
    const std::vector<std::uint8_t>& fill = call.find("out")->storage;
    std::vector<std::uint8_t>& out = outputs.front();
    const std::size_t width = element_bytes(call);
    for_each_site(call, out, [&](const Site& s, std::uint8_t* bytes) {
      if (place.holds(s)) store.store(bytes, fill.data() + (bytes - out.data()), width);
    });
  };
  return mutant;
}
}  // namespace

std::vector<Mutant> store_mutants() {
  std::vector<Mutant> all;
  std::size_t next = 0;
  for (const Store& store : stores()) {
    for (const Place& place : places().subspan(1)) {
      all.push_back(store_mutant(next++ % 2 == 0 ? nvfp4_gather : mxfp4_gather, store, place));
    }
  }
  return all;
}

}  // namespace properties
