#include <fmt/format.h>

#include <algorithm>

#include "properties/faults/page_sites.hpp"

namespace properties {
namespace {

// Where a kernel reads it, or, for a store, where it writes it.
struct Reads {
  int code_page, scale_page;
  int code_token, code_element;
  int scale_token, scale_group;
};

int clamped(int i, int count) { return std::clamp(i, 0, count - 1); }
int page_before(const Site& s) { return std::max(s.page - s.heads, 0); }
int page_behind(const Site& s) {
  const int last = static_cast<int>(s.pages.size()) - 1;
  return s.page + s.heads <= last ? s.page + s.heads : s.page;
}

using Move = void (*)(const Site&, Reads&);

struct Address {
  std::string_view name;
  std::vector<std::string_view> truths;  // everywhere
  Move move;
};

constexpr std::string_view scale_elsewhere = "scale_from_elsewhere";
constexpr std::string_view code_elsewhere = "code_from_elsewhere";
constexpr std::string_view stored_elsewhere = "stored_elsewhere";

const std::vector<Address>& addresses() {
  static const std::vector<Address> all{
      {"scale_of_the_group_before",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_group = clamped(s.group() - 1, s.groups); }},
      {"scale_of_the_group_behind",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_group = clamped(s.group() + 1, s.groups); }},
      {"scales_of_group_pairs_swapped",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_group = s.group() ^ 1; }},
      {"scales_of_groups_reversed",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_group = s.groups - 1 - s.group(); }},
      {"scales_rotate_by_a_group",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_group = (s.group() + 1) % s.groups; }},
      {"scales_of_token_pairs_swapped",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = s.token ^ 1; }},
      {"scales_of_the_token_before",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = clamped(s.token - 1, tokens); }},
      {"scales_of_the_token_behind",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = clamped(s.token + 1, tokens); }},
      {"scales_of_the_even_token",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = s.token & ~1; }},
      {"scales_of_the_other_half",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = s.token ^ 64; }},
      {"scales_of_64_tokens",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = s.token % 64; }},
      {"scales_of_tokens_reversed",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_token = tokens - 1 - s.token; }},
      {"codes_of_pairs_swapped",
       {code_elsewhere, "nibble_order_swapped"},
       [](const Site& s, Reads& r) { r.code_element = s.element ^ 1; }},
      {"codes_of_bytes_swapped",
       {code_elsewhere, "word_order_reversed"},
       [](const Site& s, Reads& r) { r.code_element = s.element ^ 2; }},
      {"codes_of_words_swapped",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_element = s.element ^ 8; }},
      {"codes_of_the_element_behind",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_element = clamped(s.element + 1, elements); }},
      {"codes_rotate_by_16",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_element = (s.element + 16) % elements; }},
      {"codes_of_the_lower_half",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_element = s.element % 64; }},
      {"codes_of_a_token_reversed",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_element = elements - 1 - s.element; }},
      {"codes_of_token_pairs_swapped",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_token = s.token ^ 1; }},
      {"codes_of_the_token_before",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_token = clamped(s.token - 1, tokens); }},
      {"codes_of_64_tokens",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_token = s.token % 64; }},
      {"scales_of_the_page_before",
       {scale_elsewhere},
       [](const Site& s, Reads& r) { r.scale_page = page_before(s); }},
      {"codes_of_the_page_behind",
       {code_elsewhere},
       [](const Site& s, Reads& r) { r.code_page = page_behind(s); }},
      {"page_before",
       {"wrong_page"},
       [](const Site& s, Reads& r) { r.code_page = r.scale_page = page_before(s); }},
      {"page_behind",
       {"wrong_page"},
       [](const Site& s, Reads& r) { r.code_page = r.scale_page = page_behind(s); }},
      {"first_page",
       {"wrong_page"},
       [](const Site& s, Reads& r) { r.code_page = r.scale_page = s.page % s.heads; }},
      // Of one scale: byte for byte those of swapped codes.
      {"results_of_pairs_swapped",
       {stored_elsewhere, code_elsewhere, "nibble_order_swapped"},
       [](const Site& s, Reads& r) {
         r.code_element = s.element ^ 1;
         r.scale_group = r.code_element / (elements / s.groups);
       }},
      {"results_shifted_by_16",
       {stored_elsewhere},
       [](const Site& s, Reads& r) {
         r.code_element = (s.element + 16) % elements;
         r.scale_group = r.code_element / (elements / s.groups);
       }},
      {"results_of_tokens_swapped",
       {stored_elsewhere},
       [](const Site& s, Reads& r) { r.code_token = r.scale_token = s.token ^ 1; }},
      {"results_transposed",
       {stored_elsewhere},
       [](const Site& s, Reads& r) {
         r.code_token = r.scale_token = s.element;
         r.code_element = s.token;
         r.scale_group = s.token / (elements / s.groups);
       }},
  };
  return all;
}

Mutant address_mutant(std::string_view operation, const Address& address, const Place& place) {
  Mutant mutant{
      fmt::format("{}_{}_{}", operation, address.name, place.name), operation, address.truths, {}};
  mutant.spoil = [&address, place](const harness::Problem& call, harness::Outputs& outputs) {
    const oracle::PageLayout& layout = layout_of(call.operation);
    const Arithmetic right(call);
    Table table{};
    for (unsigned i = 0; i < table.size(); ++i) {
      table[i] = right(static_cast<std::uint8_t>(i % 16), static_cast<std::uint8_t>(i / 16));
    }
    const std::uint8_t* const pool = pool_of(call).storage.data();
    const std::size_t width = element_bytes(call);
    for_each_site(call, outputs.front(), [&](const Site& s, std::uint8_t* bytes) {
      if (!place.holds(s)) return;
      Reads r{s.page, s.page, s.token, s.element, s.token, s.group()};
      address.move(s, r);
      const auto page = [&](int i) { return pool + s.pages[static_cast<std::size_t>(i)].source; };
      const std::uint8_t code = layout.code(page(r.code_page), r.code_token, r.code_element);
      const std::uint8_t scale = layout.scale(page(r.scale_page), r.scale_token, r.scale_group);
      put(bytes, table[std::size_t{scale} * 16 + code], width);
    });
  };
  return mutant;
}

}  // namespace

std::vector<Mutant> address_mutants() {
  std::vector<Mutant> all;
  std::size_t next = 0;
  for (const Address& address : addresses()) {
    const std::string_view first = next % 2 == 0 ? nvfp4_gather : mxfp4_gather;
    const std::string_view second = next % 2 == 0 ? mxfp4_gather : nvfp4_gather;
    all.push_back(address_mutant(first, address, places().front()));
    all.push_back(address_mutant(second, address, places()[1 + next % (places().size() - 1)]));
    ++next;
  }
  return all;
}

}  // namespace properties
