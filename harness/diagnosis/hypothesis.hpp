// A hypothesis says what a kernel with one known fault would have written. It is weighed against
// what was written: it must account for the wrong elements, and leave the right ones right.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/diagnosis.hpp"

namespace harness {

// What was written where, in elements of `width` bytes.
struct Judged {
  std::span<const std::uint8_t> expected;
  std::span<const std::uint8_t> actual;
  std::size_t width = 1;

  std::size_t elements() const { return expected.size() / width; }
  std::uint32_t expected_at(std::size_t i) const { return element_at(expected, width, i); }
  std::uint32_t actual_at(std::size_t i) const { return element_at(actual, width, i); }
  bool wrong_at(std::size_t i) const { return expected_at(i) != actual_at(i); }

  // Element `i` of bytes that are elements of `width` bytes, as its code.
  static std::uint32_t element_at(std::span<const std::uint8_t> bytes, std::size_t width,
                                  std::size_t i);
};

// One of two values where two writes race for the element; unknown where the kernel would have
// taken it from memory that is not the problem's.
struct Prediction {
  bool known = true;
  std::uint32_t value = 0;
  std::uint32_t other = 0;

  static Prediction of(std::uint32_t value) { return {true, value, value}; }
  static Prediction unknown() { return {false, 0, 0}; }
  bool allows(std::uint32_t actual) const { return actual == value || actual == other; }
};

struct Hypothesis {
  std::string_view fault_class;
  std::string variant;
  std::function<Prediction(std::size_t element)> predict;
};

// Elements to weigh hypotheses on: all of them where they are few, else evenly spread ones.
struct Sample {
  std::vector<std::size_t> wrong;
  std::vector<std::size_t> right;
  std::uint64_t all_wrong = 0;
  std::uint64_t all_right = 0;

  bool whole() const { return wrong.size() == all_wrong && right.size() == all_right; }
};
Sample sample_of(const Judged& judged);

struct Evidence {
  std::uint64_t explained = 0;     // wrong elements with just the value that was written
  std::uint64_t contradicted = 0;  // wrong elements with another one
  std::uint64_t broken = 0;        // right elements that the fault would have made wrong
  std::uint64_t unknown_wrong = 0;
  std::uint64_t unknown_right = 0;

  // Every element agrees, and the fault shows in some.
  bool complete() const {
    return explained > 0 && contradicted == 0 && broken == 0 && unknown_wrong == 0;
  }
  // The wrong elements are just those that such a kernel takes from foreign memory.
  bool by_place() const {
    return unknown_wrong > 0 && contradicted == 0 && broken == 0 &&
           unknown_right * 8 <= unknown_wrong;
  }
  // At least nine in ten of what it touches agrees.
  bool mostly() const {
    const std::uint64_t touched = explained + contradicted + broken + unknown_wrong;
    return explained > 0 && explained * 10 >= touched * 9;
  }
};
// Gives up early, with an Evidence that is none of the three, on what soon proves wrong.
Evidence weigh(const Hypothesis& hypothesis, const Judged& judged, const Sample& sample);

// Weighs hypotheses one after the other, the more specific ones first, and keeps what is needed to
// name a class.
class Naming {
 public:
  Naming(const Judged& judged, const Sample& sample) : judged_(judged), sample_(sample) {}

  void consider(const Hypothesis& hypothesis);
  bool complete() const { return !complete_.empty(); }

  // Sets fault_class, same_bytes_classes and explanation. Without a hypothesis that fits, the
  // class stays empty and the explanation is `hint`.
  void name(Diagnosis& diagnosis, const std::string& hint) const;

 private:
  struct Weighed {
    std::string_view fault_class;
    std::string variant;
    Evidence evidence;
  };
  std::string account(const Weighed& weighed, std::string_view how_much) const;

  const Judged& judged_;
  const Sample& sample_;
  std::vector<Weighed> complete_;
  std::vector<Weighed> by_place_;
  std::vector<Weighed> mostly_;
};

// "5,312".
std::string grouped(std::uint64_t number);

}  // namespace harness
