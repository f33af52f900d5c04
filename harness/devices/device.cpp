#include "harness/device.hpp"

#include <algorithm>

namespace harness {

void Device::add_images(std::span<const kernels::Image> images) { images_.push_back(images); }

const kernels::Image* Device::find_image(std::string_view module, kernels::Backend backend) const {
  for (const auto images : images_) {
    const auto it = std::find_if(images.begin(), images.end(), [&](const kernels::Image& image) {
      return image.module == module && image.backend == backend;
    });
    if (it != images.end()) return &*it;
  }
  return nullptr;
}

}  // namespace harness
