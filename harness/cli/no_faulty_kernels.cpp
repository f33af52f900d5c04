// In the place of the faulty kernels, for the binary that is built before them.
#include "kernels/module.hpp"

namespace kernels {

std::span<const Image> faulty_images() { return {}; }
std::span<const Entry> faulty_entries() { return {}; }

}  // namespace kernels
