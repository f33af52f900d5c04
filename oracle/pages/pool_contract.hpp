// What every call on a pool of pages must keep: the element type, shape and strides that its
// PoolLayout states. Shared by readers and writers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "oracle/pages/contract.hpp"
#include "oracle/pages/pool_layout.hpp"
#include "oracle/pages/tensor_view.hpp"
#include "oracle/profile.hpp"

namespace oracle {

// Where pages lie, taken from a view that keeps its contract.
struct PoolShape {
  std::int64_t num_blocks = 0;
  std::int64_t num_planes = 1;
  std::int64_t num_heads = 1;
  bool has_head_axis = false;
  std::array<std::int64_t, 3> strides_bytes{};  // from page to page, plane to plane, head to head
  std::vector<PageLayout> layouts;              // of the planes, as the profile orders their scales
};

// Heads of the tensor beside the pool, which the pool then has as well.
enum class HeadsAre : std::uint8_t {
  as_the_pool_has,  // any number, or no axis where that is optional
  as_stated,        // `heads`, 0 for no axis
};

// Keeps the first violation in `contract`; the shape is whole only where it holds. The profile
// settles the order of scales and whether strides are read.
PoolShape check_pool(Contract& contract, const PoolLayout& pool, const ConstTensorView& view,
                     HeadsAre heads_are, std::int64_t heads, const Profile& profile);

}  // namespace oracle
