// Exact scores of an index scorer: docs/design.md section 3.5. A query row and a key row are 128
// e4m3 (OCP) each; a token's score is their dot product, a page's the largest of its 128 tokens.
//
// An e4m3 is an integer times 2^-9, so a dot product is an integer times 2^-18, exact in 64 bits. A
// kernel adds f32 in an order of its own: its score is right if it lies within the bound that f32
// accumulation allows, and its ranking of pages is right if no page stands above one whose exact
// score is larger by more than both bounds. A NaN element makes the scores of its row NaN; the
// largest of a page's tokens ignores them, as fmaxf does.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/pages/tensor_view.hpp"
#include "oracle/result.hpp"

namespace oracle {

// One exact score and how far a kernel's may be from it.
struct Score {
  std::int64_t dot = 0;        // in units of 2^-18
  std::int64_t magnitude = 0;  // sum of |q_i * k_i|, the same units
  bool nan = false;
};

// How a kernel accumulates: `additions` roundings along the longest path, each with a relative
// error of at most 2^-precision_bits. f32 to nearest in any order: 127 and 24. Hardware that cuts
// instead of rounding or keeps fewer bits has a smaller precision.
struct Accumulation {
  int additions = 127;
  int precision_bits = 24;
};

// [queries, tokens]
using IntegerMatrix = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
struct Scores {
  IntegerMatrix dot;
  IntegerMatrix magnitude;
  std::vector<bool> nan_query;
  std::vector<bool> nan_token;

  Score at(Eigen::Index query, Eigen::Index token) const;
};

// Scores of `queries` [Q, head_dim] against `keys` [T, head_dim], both e4m3 with any strides that
// are not negative. Exact. Errors: wrong_dtype; wrong_shape, also for more than 128 elements a row;
// wrong_stride and out_of_range as as_matrix.
Result<Scores> score_tokens(const ConstTensorView& queries, const ConstTensorView& keys);

// Pages of 128 tokens of one query: the largest score, and the largest bound, of their tokens. A
// page whose tokens are all NaN is NaN. Tokens past the last whole page are left out.
struct PageScore {
  Score largest;
  std::int64_t magnitude_bound = 0;  // largest `magnitude` of the page's tokens
};
std::vector<PageScore> score_pages(const Scores& scores, Eigen::Index query, int tokens_per_page);

// The bound on |kernel score - exact score|, in units of 2^-42, rounded up: the classic
// gamma_n * sum|q_i * k_i|, gamma_n = n*u / (1 - n*u). Products of two e4m3 are exact in f32.
// Preconditions: 0 <= magnitude < 2^43 (128 products stay below), 0 <= additions <= 128,
// 14 <= precision_bits <= 24.
std::int64_t score_error_bound(std::int64_t magnitude, const Accumulation& accumulation);

// Whether a kernel's f32 score (bits) is an allowed value of an exact one: within the bound, NaN
// for NaN, never infinite.
bool is_allowed_score(std::uint32_t f32_bits, const Score& exact, const Accumulation& accumulation);

// Checks a kernel's ranking of pages, best first; those that it does not name are the ones it left
// out. Pages that may not be ranked are not among `pages`.
// Errors: out_of_range for a page that does not exist, invalid_argument for one named twice or for
// a page above another whose exact score is larger by more than both bounds; NaN pages may stand
// anywhere, as engines differ.
Result<void> check_page_ranking(std::span<const PageScore> pages,
                                std::span<const std::int64_t> ranking,
                                const Accumulation& accumulation);

}  // namespace oracle
