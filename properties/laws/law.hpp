// A law of an operation, tried on every subject with random cases. A law that fails prints the
// subject, RapidCheck's seed and the smallest case; one whose cases never met an edge that its
// operation has fails as well, because it then says nothing about it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/model/operation.hpp"
#include "harness/model/problem.hpp"
#include "properties/laws/subject.hpp"

namespace properties {

// Runs a problem on the subject that is under test, and discards nothing: an error of the subject
// fails the law.
class UnderTest {
 public:
  explicit UnderTest(const Subject& subject) : subject_(subject) {}
  // The bytes of the only output.
  std::vector<std::uint8_t> operator()(const harness::Problem& problem) const;
  // A subject of another operation that belongs to this one: the same oracle, or the first kernel
  // of the same device.
  UnderTest of_operation(std::string_view operation) const;

 private:
  const Subject& subject_;
};

// Asserts with RC_ASSERT.
using Law = std::function<void(const UnderTest& run, const harness::Problem& problem)>;

// Fails the law where they differ, with the first byte that does.
void assert_same(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& expected);

// The law must hold for the first call of every case. Prints how often each edge was met.
// `rounds` times as many cases: where they are cheap, and some edge is rare.
void check_law(std::string_view operation, const Law& law, int rounds = 1);
void check_law(std::span<const std::string_view> operations, const Law& law);

}  // namespace properties
