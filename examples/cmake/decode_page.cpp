// SPDX-License-Identifier: Apache-2.0
// One MXFP4 page to floats, by the C++ headers: code 3 (1.5) under the scale byte 0x80 (2) is 3.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "oracle/pages/decode_pages.hpp"

int main() {
  std::vector<std::uint8_t> page(8704, 0x33);  // every code is 3
  std::fill(page.begin() + 8192, page.end(), std::uint8_t{0x80});
  std::vector<std::uint8_t> out(128 * 128 * sizeof(float));
  const auto from =
      oracle::contiguous_view(std::span(std::as_const(page)), oracle::Dtype::u8, {1, 8704});
  const auto to = oracle::contiguous_view(std::span(out), oracle::Dtype::f32, {1, 128, 128});
  if (!from || !to) return 1;
  if (const auto done = oracle::mxfp4_decode_pages(*from, *to, oracle::profiles::ocp()); !done) {
    std::puts(done.error().message.c_str());
    return 1;
  }
  float first = 0;
  std::memcpy(&first, out.data(), sizeof first);
  std::printf("%g\n", first);
  return 0;
}
