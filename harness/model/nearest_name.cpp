#include "harness/model/nearest_name.hpp"

#include <algorithm>
#include <cstddef>

namespace harness {
namespace {

// Edits from one word to another, a swap of neighbours counting once (optimal string alignment).
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> edits(from.size() + 1,
                                              std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= to.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      edits[i][j] = std::min(
          {edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[from.size()][to.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t shortest_beginning = 3;
  std::string nearest;
  std::size_t fewest = word.size() / 3 + 1;
  bool tied = true;  // nothing is near so far
  for (const std::string& name : names) {
    if (word.size() >= shortest_beginning && name.starts_with(word)) {
      const bool first = nearest.empty() || fewest != 0;
      tied = !first;
      fewest = 0;
      nearest = name;
      continue;
    }
    const std::size_t edits = edits_between(word, name);
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
      tied = false;
    } else if (edits == fewest) {
      tied = true;
    }
  }
  return tied ? std::string() : nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? nearest : "; did you mean " + nearest + "?";
}

}  // namespace harness
