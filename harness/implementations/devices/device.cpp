#include "harness/implementations/devices/device.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness {

void Device::add_images(std::span<const kernels::Image> images) { images_.push_back(images); }

Result<LoadedKernel> Device::load_kernel(std::span<const std::uint8_t> /*image*/,
                                         const std::string& /*name*/,
                                         const std::string& /*entry*/) {
  return oracle::fail(ErrorCode::device_absent,
                      fmt::format("a module file needs a GPU, and {} is none", info().name));
}

Result<double> Device::launch(const LoadedKernel& kernel, const LaunchShape& /*shape*/,
                              std::span<const std::uint8_t> /*parameters*/) {
  return oracle::fail(
      ErrorCode::device_error,
      fmt::format("{}: launch of {}: a module file needs a GPU", info().name, kernel.name));
}

Result<DeviceAddress> Device::share(int /*descriptor*/, std::uint64_t /*offset*/,
                                    std::uint64_t /*bytes*/) {
  return oracle::fail(ErrorCode::invalid_argument,
                      fmt::format("{} has memory of its own", info().name));
}

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
