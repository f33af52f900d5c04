// Faults of addresses in rows of elements that no model has, fitted: which element's inputs wrong
// elements are made from.
#pragma once

#include <functional>

#include "harness/diagnosis/hypothesis.hpp"

namespace harness {

struct RowScene {
  std::size_t elements = 0;
  // The right result of the code of one element under the scale of another one; of rows without
  // scales, `code` alone counts.
  std::function<std::uint32_t(std::size_t code, std::size_t scale)> result;
  bool has_scales = false;
};

void consider_row_families(const RowScene& scene, const Judged& judged, const Sample& sample,
                           Naming& naming);

}  // namespace harness
