// A path that is made of a GPU's instruction runs on the host with software in its place. What such
// an implementation says of its toolkit ends with these words, so that every report has them; its
// rows are part of no statement.
#pragma once

#include <string_view>

#include "harness/model/implementation.hpp"

namespace harness {

inline constexpr std::string_view in_software = "; instruction in software";

inline bool instruction_in_software(const ImplementationInfo& info) {
  return std::string_view(info.toolkit).ends_with(in_software);
}

}  // namespace harness
