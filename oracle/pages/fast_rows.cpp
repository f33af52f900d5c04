#include "oracle/pages/fast_rows.hpp"

namespace oracle::fast_rows {
namespace {

template <std::size_t Width>
void decode(const PairTable& table, const Job& job) {
  for (std::size_t group = 0; group < job.groups; ++group) {
    const std::uint8_t* codes = job.codes + group * job.block / 2;
    std::uint8_t* out = job.out + group * job.block * Width;
    for (std::size_t plane = 0; plane < Width; ++plane) {
      const std::uint8_t* row = table.row(plane, job.scales[group]);
      for (std::size_t i = 0; i < job.block / 2; ++i) {
        out[2 * i * Width + plane] = row[codes[i] & 0xfU];
        out[(2 * i + 1) * Width + plane] = row[codes[i] >> 4];
      }
    }
  }
}

}  // namespace

Decode select(FastPath path, std::size_t width) {
#if defined(__x86_64__)
  if (path != FastPath::portable) return select_x86(path, width);
#else
  (void)path;
#endif
  switch (width) {
    case 1:
      return decode<1>;
    case 2:
      return decode<2>;
    default:
      return decode<4>;
  }
}

}  // namespace oracle::fast_rows
