#include "harness/implementations/devices/cuda_memory.hpp"

namespace harness::cuda {

AllocationProperties allocation_properties(DeviceOrdinal device) {
  AllocationProperties properties{};
  properties.type = allocation_pinned;
  properties.location = {location_device, device};
  return properties;
}

Failure map_edged(const Driver& driver, DeviceOrdinal device, std::size_t bytes,
                  std::size_t granularity, EdgedAllocation& allocation) {
  EdgedAllocation made;
  made.mapped_bytes = (bytes + granularity - 1) / granularity * granularity;
  made.reserved_bytes = made.mapped_bytes + 2 * granularity;
  if (const Code code = driver.cuMemAddressReserve(&made.reserved, made.reserved_bytes, 0, 0, 0);
      code != success) {
    return {code, "cuMemAddressReserve"};
  }
  made.mapped = made.reserved + granularity;

  const AllocationProperties properties = allocation_properties(device);
  Handle handle = 0;
  if (const Code code = driver.cuMemCreate(&handle, made.mapped_bytes, &properties, 0);
      code != success) {
    driver.cuMemAddressFree(made.reserved, made.reserved_bytes);
    return {code, "cuMemCreate"};
  }
  const Code mapped = driver.cuMemMap(made.mapped, made.mapped_bytes, 0, handle, 0);
  // The mapping keeps the memory; without one it goes back now.
  const Code released = driver.cuMemRelease(handle);
  if (mapped != success) {
    driver.cuMemAddressFree(made.reserved, made.reserved_bytes);
    return {mapped, "cuMemMap"};
  }
  const AccessDescription access{properties.location, access_read_write};
  const Code accessible = driver.cuMemSetAccess(made.mapped, made.mapped_bytes, &access, 1);
  if (released != success || accessible != success) {
    unmap_edged(driver, made);
    return released != success ? Failure{released, "cuMemRelease"}
                               : Failure{accessible, "cuMemSetAccess"};
  }
  allocation = made;
  return {};
}

Failure unmap_edged(const Driver& driver, const EdgedAllocation& allocation) {
  const Code unmapped = driver.cuMemUnmap(allocation.mapped, allocation.mapped_bytes);
  const Code freed = driver.cuMemAddressFree(allocation.reserved, allocation.reserved_bytes);
  if (unmapped != success) return {unmapped, "cuMemUnmap"};
  if (freed != success) return {freed, "cuMemAddressFree"};
  return {};
}

}  // namespace harness::cuda
