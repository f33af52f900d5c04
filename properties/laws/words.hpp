// Flat tensors as the words that they hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "harness/model/problem.hpp"

namespace properties {

template <class Word>
std::vector<Word> words(const std::vector<std::uint8_t>& bytes) {
  std::vector<Word> found(bytes.size() / sizeof(Word));
  if (!found.empty()) std::memcpy(found.data(), bytes.data(), found.size() * sizeof(Word));
  return found;
}

template <class Word>
void set_words(std::vector<std::uint8_t>& bytes, const std::vector<Word>& words) {
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), words.size() * sizeof(Word));
}

// A copy in which each word of a tensor is changed by `change(word)`.
template <class Word, class Change>
harness::Problem with_words(const harness::Problem& problem, std::string_view name,
                            const Change& change) {
  harness::Problem other = problem;
  std::vector<std::uint8_t>& bytes = other.find(name)->storage;
  std::vector<Word> all = words<Word>(bytes);
  for (Word& word : all) word = change(word);
  set_words(bytes, all);
  return other;
}

// The words in reverse order.
template <class Word>
void reverse_words(std::vector<std::uint8_t>& bytes) {
  std::vector<Word> all = words<Word>(bytes);
  std::reverse(all.begin(), all.end());
  set_words(bytes, all);
}

}  // namespace properties
