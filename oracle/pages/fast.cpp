#include "oracle/pages/fast.hpp"

#include <algorithm>
#include <cassert>

#include "oracle/pages/fast_rows.hpp"

namespace oracle {
namespace {

PairTable fill(const FormatSpec& format, Dtype destination, const Profile& profile) {
  const std::size_t width = size_of(destination);
  PairTable table{std::vector<std::uint8_t>(width * 256 * 16)};
  for (std::size_t scale = 0; scale < 256; ++scale) {
    for (std::size_t code = 0; code < 16; ++code) {
      const std::uint32_t bits =
          decode_element(format, static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(scale),
                         destination, profile);
      for (std::size_t plane = 0; plane < width; ++plane) {
        table.planes[(plane * 256 + scale) * 16 + code] =
            static_cast<std::uint8_t>(bits >> (8 * plane));
      }
    }
  }
  return table;
}

std::size_t index_of(const FormatSpec& format) {
  const auto* at = std::find(scale_formats.begin(), scale_formats.end(), format);
  assert(at != scale_formats.end());
  return static_cast<std::size_t>(at - scale_formats.begin());
}

std::size_t index_of(Dtype destination) {
  const auto* at = std::find(all_destinations.begin(), all_destinations.end(), destination);
  assert(at != all_destinations.end());
  return static_cast<std::size_t>(at - all_destinations.begin());
}

FastPath best_path() {
  for (const FastPath path : {FastPath::avx2, FastPath::ssse3}) {
    if (FastOracle::is_supported(path)) return path;
  }
  return FastPath::portable;
}

// Outputs larger than the caches are better written past them; smaller ones are soon read again.
constexpr std::int64_t streaming_bytes = std::int64_t{8} << 20;

// What one call decodes: pages of one layout into one destination.
class PageLoop {
 public:
  PageLoop(const PageLayout& layout, Dtype destination, const PairTable& table, FastPath path,
           std::int64_t total_out_bytes)
      : layout_(layout),
        table_(table),
        decode_(fast_rows::select(path, size_of(destination))),
        large_(total_out_bytes >= streaming_bytes) {
    assert(layout.is_consistent() && layout.code_order == CodeOrder::rows &&
           layout.nibble_order == NibbleOrder::even_low);
    assert(layout.scale_block_size == 16 || layout.scale_block_size == 32);
    assert(layout.head_dim % 32 == 0);
    if (layout.scale_order != ScaleOrder::linear) {
      scales_.resize(static_cast<std::size_t>(layout.scale_section_bytes()));
    }
  }

  void decode(const std::uint8_t* page, std::uint8_t* out) {
    const std::uint8_t* scales = page + layout_.scale_section_offset();
    if (!scales_.empty()) {
      auto to = scales_.begin();
      for (int token = 0; token < layout_.num_tokens; ++token) {
        for (int group = 0; group < layout_.groups_per_token(); ++group) {
          *to++ = layout_.scale(page, token, group);
        }
      }
      scales = scales_.data();
    }
    decode_(table_,
            {.codes = page + layout_.code_section_offset(),
             .scales = scales,
             .out = out,
             .groups = static_cast<std::size_t>(layout_.num_tokens * layout_.groups_per_token()),
             .block = static_cast<std::size_t>(layout_.scale_block_size),
             .streaming = large_ && reinterpret_cast<std::uintptr_t>(out) % 32 == 0});
  }

 private:
  const PageLayout& layout_;
  const PairTable& table_;
  fast_rows::Decode decode_;
  bool large_;
  std::vector<std::uint8_t> scales_;  // of the present page in element order, if they are not so
};

}  // namespace

FastOracle::FastOracle(const Profile& profile) : FastOracle(profile, best_path()) {}

FastOracle::FastOracle(const Profile& profile, FastPath path) : profile_(profile), path_(path) {
  assert(is_supported(path));
  for (const FormatSpec& format : scale_formats) {
    for (const Dtype destination : all_destinations) {
      tables_.at(index_of(format)).at(index_of(destination)) = fill(format, destination, profile);
    }
  }
}

bool FastOracle::is_supported(FastPath path) {
#if defined(__x86_64__)
  if (path == FastPath::avx2) return __builtin_cpu_supports("avx2") != 0;
  if (path == FastPath::ssse3) return __builtin_cpu_supports("ssse3") != 0;
#endif
  return path == FastPath::portable;
}

const PairTable& FastOracle::table(const FormatSpec& format, Dtype destination) const {
  return tables_.at(index_of(format)).at(index_of(destination));
}

std::uint32_t FastOracle::element(const FormatSpec& format, std::uint8_t code, std::uint8_t scale,
                                  Dtype destination) const {
  const PairTable& pairs = table(format, destination);
  std::uint32_t bits = 0;
  for (std::size_t plane = 0; plane < size_of(destination); ++plane) {
    bits |= std::uint32_t{pairs.row(plane, scale)[code]} << (8 * plane);
  }
  return bits;
}

void FastOracle::decode_page(const PageLayout& layout, std::span<const std::uint8_t> page,
                             Dtype destination, std::span<std::uint8_t> out) const {
  assert(static_cast<std::int64_t>(page.size()) == layout.page_bytes());
  const std::int64_t out_bytes = decoded_page_bytes(layout, destination);
  assert(static_cast<std::int64_t>(out.size()) == out_bytes);
  PageLoop(layout, destination, table(layout.scale_format, destination), path_, out_bytes)
      .decode(page.data(), out.data());
}

void FastOracle::run(const PagePlan& plan, const GatherArguments& arguments, std::size_t begin,
                     std::size_t end) const {
  const std::int64_t page_bytes = plan.layout().page_bytes();
  const std::int64_t out_bytes = decoded_page_bytes(plan.layout(), plan.destination);
  std::vector<PageLoop> loops;
  for (const PageLayout& layout : plan.layouts) {
    loops.emplace_back(layout, plan.destination, table(layout.scale_format, plan.destination),
                       path_, static_cast<std::int64_t>(plan.moves.size()) * out_bytes);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const PageMove& move = plan.moves[i];
    loops[static_cast<std::size_t>(move.plane)].decode(
        bytes_at(arguments.pages, move.source_bytes, page_bytes).data(),
        bytes_at(arguments.out, move.destination_bytes, out_bytes).data());
  }
}

Result<void> FastOracle::gather(const PageReader& reader, const GatherArguments& arguments) const {
  const Result<PagePlan> plan = plan_gather(reader, arguments, profile_);
  if (!plan) return tl::make_unexpected(plan.error());
  run(*plan, arguments, 0, plan->moves.size());
  return {};
}

Result<void> FastOracle::mxfp4_decode_pages(const ConstTensorView& pages,
                                            const TensorView& out) const {
  const Result<DecodePlan> plan = plan_mxfp4_decode_pages(pages, out, profile_);
  if (!plan) return tl::make_unexpected(plan.error());
  const std::int64_t page_bytes = plan->layout.page_bytes();
  const std::int64_t out_bytes = decoded_page_bytes(plan->layout, plan->destination);
  PageLoop loop(plan->layout, plan->destination,
                table(plan->layout.scale_format, plan->destination), path_,
                static_cast<std::int64_t>(plan->moves.size()) * out_bytes);
  for (const DecodeMove& move : plan->moves) {
    loop.decode(bytes_at(pages, move.source_bytes, page_bytes).data(),
                bytes_at(out, move.destination_bytes, out_bytes).data());
  }
  return {};
}

}  // namespace oracle
