// The fast oracle: the same bytes as gather.hpp and decode_pages.hpp, for volume. It has no
// arithmetic of its own: every result is looked up in tables of the 16 x 256 pairs that the exact
// oracle fills at construction. The contract (plan_*) is the exact oracle's as well. Tests prove it
// equal to the exact oracle for all pairs, at every place, for every destination, by every code
// path.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/gather.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/product.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"
#include "oracle/result.hpp"

namespace oracle {

// Results of all 16 x 256 pairs in one destination, as planes of bytes: planes[p][scale][code] is
// byte p of the result, so that a shuffle of 16 bytes decodes 16 elements of one scale.
struct PairTable {
  std::vector<std::uint8_t> planes;  // size_of(destination) * 256 * 16

  const std::uint8_t* row(std::size_t plane, std::uint8_t scale) const {
    return planes.data() + (plane * 256 + scale) * 16;
  }
};

// Code paths, slowest first. All give the same bytes.
enum class FastPath : std::uint8_t { portable, ssse3, avx2 };

class FastOracle {
 public:
  // Fills the tables of all scale formats and destinations: 32,768 exact products. Uses the
  // best path of this CPU, or the one asked for. Precondition: is_supported(path).
  explicit FastOracle(const Profile& profile);
  FastOracle(const Profile& profile, FastPath path);

  static bool is_supported(FastPath path);

  const Profile& profile() const { return profile_; }

  // decode_element by table. Preconditions as there.
  std::uint32_t element(const FormatSpec& format, std::uint8_t code, std::uint8_t scale,
                        Dtype destination) const;

  // decode_page by table, for layouts with codes in rows and the even element low, in any section
  // and scale order. Preconditions as there.
  void decode_page(const PageLayout& layout, std::span<const std::uint8_t> page, Dtype destination,
                   std::span<std::uint8_t> out) const;

  // As their namesakes, with this profile.
  Result<void> gather(const PageReader& reader, const GatherArguments& arguments) const;
  Result<void> mxfp4_decode_pages(const ConstTensorView& pages, const TensorView& out) const;

  // Makes the moves [begin, end) of a plan of these arguments, so that a caller may share them out
  // over threads.
  void run(const PagePlan& plan, const GatherArguments& arguments, std::size_t begin,
           std::size_t end) const;

 private:
  const PairTable& table(const FormatSpec& format, Dtype destination) const;

  Profile profile_;
  FastPath path_;
  using OfDestinations = std::array<PairTable, all_destinations.size()>;
  std::array<OfDestinations, scale_formats.size()> tables_;
};

}  // namespace oracle
