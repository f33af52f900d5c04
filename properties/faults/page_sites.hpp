// Elements of a gather's output on their way from the pool, for mutants of page operations.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/numbers/dtype.hpp"
#include "oracle/numbers/exact.hpp"
#include "oracle/numbers/format_spec.hpp"
#include "properties/faults/mutant.hpp"
#include "properties/laws/pages.hpp"

namespace properties {

inline constexpr std::string_view nvfp4_gather = "nvfp4_gather_index_k";
inline constexpr std::string_view mxfp4_gather = "mxfp4_gather_pages";
inline constexpr std::string_view mxfp4_decoder = "mxfp4_decode_pages";

inline constexpr int tokens = 128;
inline constexpr int elements = 128;

// An element of the output on its way from the pool.
struct Site {
  const harness::Problem& call;
  std::span<const PagePlaces> pages;
  int page;
  int heads;
  int token;
  int element;
  int groups;   // of a token
  int logical;  // number of the page in its request
  int group() const { return element / (elements / groups); }
};

using SiteChange = std::function<void(const Site&, std::uint8_t* bytes)>;
void for_each_site(const harness::Problem& call, std::vector<std::uint8_t>& out,
                   const SiteChange& change);

// A kind of place at which a fault shows.
struct Place {
  std::string_view name;
  bool (*holds)(const Site&);
};
// The first is everywhere.
std::span<const Place> places();

// What a right kernel computes.
struct Arithmetic {
  explicit Arithmetic(const harness::Problem& call);
  std::uint32_t operator()(std::uint8_t code, std::uint8_t scale) const;
  oracle::Exact product(std::uint8_t code, std::uint8_t scale) const;
  const oracle::FormatSpec& spec() const;

  oracle::FormatSpec format;
  oracle::Dtype to;
};
// The results of all pairs, [scale * 16 + code].
using Table = std::array<std::uint32_t, 4096>;

void put(std::uint8_t* bytes, std::uint32_t value, std::size_t width);

// Those of each kind, everywhere and at one kind of place.
std::vector<Mutant> address_mutants();
std::vector<Mutant> value_mutants();
std::vector<Mutant> store_mutants();

}  // namespace properties
