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
  // Whether the call's inputs tell this fault from others that give the same bytes; asked where
  // every element agrees. Empty: they do.
  std::function<bool()> convincing = {};
  // Of addresses: without a word where it is not convincing, since regular data fit many of them.
  bool of_addresses = false;
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

  // Every element agrees, and the fault shows in some. What such a kernel would have taken from
  // foreign memory may be any value, so it speaks for nothing; a fault that takes little from there
  // is still told by the rest.
  bool complete() const {
    // Foreign memory does not happen to hold what is right.
    const bool lucky = unknown_right > 4 && unknown_right > unknown_wrong;
    return explained > 0 && contradicted == 0 && broken == 0 && unknown_wrong * 8 <= explained &&
           !lucky;
  }
};
// Gives up early, with an Evidence that is not complete, on what soon proves wrong.
Evidence weigh(const Hypothesis& hypothesis, const Judged& judged, const Sample& sample);

// What all wrong elements have in common, found without a model: where their codes or scales come
// from, or which values are taken for others. It speaks of the wrong elements alone.
struct Family {
  std::string_view fault_class;
  std::string statement;      // "Every wrong byte has the scale of group g-1."
  bool beyond_chance = true;  // false: it fits, but so few or so like bytes may fit by chance
};

// Weighs hypotheses one after the other, the more specific ones first, and keeps what is needed to
// name a class.
//
// A name is right or it is not given: a class must account for every element, the right ones
// included, by inputs that tell it from others; a family for every wrong one. Where two of either
// do, neither is named: the classes that fit are then all among same_bytes_classes.
class Naming {
 public:
  Naming(const Judged& judged, const Sample& sample) : judged_(judged), sample_(sample) {}

  void consider(const Hypothesis& hypothesis);
  void add(Family family);
  bool complete() const { return !complete_.empty(); }

  // Sets fault_class, same_bytes_classes and explanation. Without a hypothesis or a family that
  // fits, the class stays empty and the explanation is `hint`.
  void name(Diagnosis& diagnosis, const std::string& hint) const;

 private:
  struct Weighed {
    std::string_view fault_class;
    std::string variant;
    Evidence evidence;
    bool convincing;
    bool of_addresses;
  };
  std::string account(const Weighed& weighed) const;
  void name_family(Diagnosis& diagnosis, const std::string& hint) const;

  const Judged& judged_;
  const Sample& sample_;
  std::vector<Weighed> complete_;
  std::vector<Family> families_;
};

// Whether so many unwritten things after so many written ones are the end of something: a single
// one after few may be every second, or that of one request.
constexpr bool is_end(std::size_t unwritten, std::size_t before) {
  return unwritten > 1 || before >= 8;
}

// "5,312".
std::string grouped(std::uint64_t number);

}  // namespace harness
