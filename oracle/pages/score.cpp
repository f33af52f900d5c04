#include "oracle/pages/score.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/pages/contract.hpp"
#include "oracle/pages/page_view.hpp"

namespace oracle {
namespace {

constexpr int unit_exponent = -18;   // of scores
constexpr int bound_exponent = -42;  // of error bounds

// The integer of each e4m3 in units of 2^-9; 0 for NaN.
std::array<std::int64_t, 256> integers() {
  std::array<std::int64_t, 256> table{};
  for (std::uint32_t code = 0; code < 256; ++code) {
    const Exact value = decode<e4m3>(code);
    if (!value.is_finite_nonzero()) continue;
    const auto magnitude = static_cast<std::int64_t>(value.significand() << (value.exponent() + 9));
    table[code] = value.negative() ? -magnitude : magnitude;
  }
  return table;
}

struct Rows {
  IntegerMatrix values;
  std::vector<bool> nan;
};

Rows to_rows(const ConstByteMatrixMap& bytes) {
  const auto table = integers();
  Rows rows{IntegerMatrix(bytes.rows(), bytes.cols()),
            std::vector<bool>(static_cast<std::size_t>(bytes.rows()), false)};
  for (Eigen::Index r = 0; r < bytes.rows(); ++r) {
    for (Eigen::Index c = 0; c < bytes.cols(); ++c) {
      const std::uint8_t code = bytes(r, c);
      rows.values(r, c) = table.at(code);
      if (is_nan(e4m3::spec, code)) rows.nan[static_cast<std::size_t>(r)] = true;
    }
  }
  return rows;
}

Exact in_units(std::int64_t count, int exponent) {
  return scale_by_power_of_two(Exact::integer(count), exponent);
}

std::string page_text(std::int64_t page, const PageScore& score) {
  return "page " + std::to_string(page) + " with exact score " + std::to_string(score.largest.dot) +
         " x 2^-18";
}

}  // namespace

Score Scores::at(Eigen::Index query, Eigen::Index token) const {
  return {dot(query, token), magnitude(query, token),
          nan_query[static_cast<std::size_t>(query)] || nan_token[static_cast<std::size_t>(token)]};
}

Result<Scores> score_tokens(const ConstTensorView& queries, const ConstTensorView& keys) {
  constexpr std::int64_t max_head_dim = 128;
  Contract contract("score_tokens");
  contract.dtype("queries", queries.dtype, {Dtype::e4m3})
      .shape("queries", queries.shape, {-1, -1})
      .dtype("keys", keys.dtype, {Dtype::e4m3})
      .shape("keys", keys.shape, {-1, queries.rank() == 2 ? queries.shape[1] : -1});
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
  contract.require(queries.shape[1] <= max_head_dim, ErrorCode::wrong_shape, "queries head_dim",
                   "at most " + std::to_string(max_head_dim), std::to_string(queries.shape[1]));
  if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());

  const Result<ConstByteMatrixMap> query_bytes = as_matrix(queries);
  if (!query_bytes) return tl::make_unexpected(query_bytes.error());
  const Result<ConstByteMatrixMap> key_bytes = as_matrix(keys);
  if (!key_bytes) return tl::make_unexpected(key_bytes.error());
  Rows q = to_rows(*query_bytes);
  Rows k = to_rows(*key_bytes);
  return Scores{q.values * k.values.transpose(),
                q.values.cwiseAbs() * k.values.cwiseAbs().transpose(), std::move(q.nan),
                std::move(k.nan)};
}

std::vector<PageScore> score_pages(const Scores& scores, Eigen::Index query, int tokens_per_page) {
  assert(tokens_per_page > 0);
  std::vector<PageScore> pages;
  for (Eigen::Index first = 0; first + tokens_per_page <= scores.dot.cols();
       first += tokens_per_page) {
    PageScore page{{0, 0, true}, 0};
    for (Eigen::Index token = first; token < first + tokens_per_page; ++token) {
      const Score score = scores.at(query, token);
      if (score.nan) continue;
      if (page.largest.nan || score.dot > page.largest.dot) page.largest = score;
      page.magnitude_bound = std::max(page.magnitude_bound, score.magnitude);
    }
    pages.push_back(page);
  }
  return pages;
}

std::int64_t score_error_bound(std::int64_t magnitude, const Accumulation& accumulation) {
  assert(magnitude >= 0 && magnitude < (std::int64_t{1} << 43));
  assert(accumulation.additions >= 0 && accumulation.additions <= 128);
  assert(accumulation.precision_bits >= 14 && accumulation.precision_bits <= 24);
  // n*u <= 2^7 * 2^-14 = 1/128, so 1 / (1 - n*u) <= 1 + n*u * 8/7. In units of 2^(-18-precision)
  // the bound is n*m * (1 + n*u * 8/7), and n*m <= 2^50; the second term is rounded up.
  const std::int64_t n = accumulation.additions;
  const std::int64_t first_order = n * magnitude;
  const std::int64_t second_order =
      ((first_order >> accumulation.precision_bits) + 1) * (n * 8 / 7 + 1);
  const std::int64_t bound = first_order + (first_order == 0 ? 0 : second_order);
  return bound << (24 - accumulation.precision_bits);
}

bool is_allowed_score(std::uint32_t f32_bits, const Score& exact,
                      const Accumulation& accumulation) {
  const Exact actual = decode<f32>(f32_bits);
  if (exact.nan || actual.is_nan()) return exact.nan && actual.is_nan();
  if (actual.is_infinity()) return false;
  const Exact distance = abs(subtract(actual, in_units(exact.dot, unit_exponent)));
  return distance <= in_units(score_error_bound(exact.magnitude, accumulation), bound_exponent);
}

Result<void> check_page_ranking(std::span<const PageScore> pages,
                                std::span<const std::int64_t> ranking,
                                const Accumulation& accumulation) {
  const auto num_pages = static_cast<std::int64_t>(pages.size());
  Contract contract("check_page_ranking");
  std::vector<bool> ranked(pages.size(), false);
  for (std::size_t place = 0; place < ranking.size(); ++place) {
    const std::int64_t page = ranking[place];
    const std::string at = "ranking[" + std::to_string(place) + "]";
    contract.require(page >= 0 && page < num_pages, ErrorCode::out_of_range, at,
                     "a page from 0 to " + std::to_string(num_pages - 1), std::to_string(page));
    if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
    contract.require(!ranked[static_cast<std::size_t>(page)], ErrorCode::invalid_argument, at,
                     "a page that was not ranked before", std::to_string(page));
    if (!contract.holds_so_far()) return tl::make_unexpected(contract.violation());
    ranked[static_cast<std::size_t>(page)] = true;
  }
  std::vector<std::int64_t> order(ranking.begin(), ranking.end());
  for (std::int64_t page = 0; page < num_pages; ++page) {
    if (!ranked[static_cast<std::size_t>(page)]) order.push_back(page);
  }
  // dot * 2^24 has the units of bounds; integers, so it is the quotient that is compared.
  for (std::size_t place = 0; place < ranking.size(); ++place) {
    const PageScore& upper = pages[static_cast<std::size_t>(order[place])];
    if (upper.largest.nan) continue;
    const std::int64_t upper_bound = score_error_bound(upper.magnitude_bound, accumulation);
    for (std::size_t below = place + 1; below < order.size(); ++below) {
      const PageScore& lower = pages[static_cast<std::size_t>(order[below])];
      if (lower.largest.nan) continue;
      const std::int64_t both =
          upper_bound + score_error_bound(lower.magnitude_bound, accumulation);
      if (lower.largest.dot - upper.largest.dot <= both >> (unit_exponent - bound_exponent))
        continue;
      contract.require(false, ErrorCode::invalid_argument, "ranking[" + std::to_string(place) + "]",
                       page_text(order[below], lower) + " above it",
                       page_text(order[place], upper));
      return tl::make_unexpected(contract.violation());
    }
  }
  return {};
}

}  // namespace oracle
