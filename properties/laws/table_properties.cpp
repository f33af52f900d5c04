// Laws of tables, strides and memory: what a call may depend on, and what it may write. They say
// nothing of arithmetic.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "properties/laws/law.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Problem;
using harness::Tensor;
using Bytes = std::vector<std::uint8_t>;

// Which bytes of the pool belong to pages that the call names.
std::vector<bool> named_bytes(const Problem& problem) {
  std::vector<bool> named(pool_of(problem).storage.size(), false);
  const auto bytes = static_cast<std::ptrdiff_t>(layout_of(problem.operation).page_bytes());
  for (const PagePlaces& page : pages_of(problem)) {
    const auto first = named.begin() + static_cast<std::ptrdiff_t>(page.source);
    std::fill(first, first + bytes, true);
  }
  return named;
}

std::vector<bool> written_bytes(const Problem& problem) {
  std::vector<bool> written(problem.find("out")->storage.size(), false);
  const auto bytes = static_cast<std::ptrdiff_t>(decoded_bytes(problem));
  for (const PagePlaces& page : pages_of(problem)) {
    const auto first = written.begin() + static_cast<std::ptrdiff_t>(page.output);
    std::fill(first, first + bytes, true);
  }
  return written;
}

void invert(Bytes& bytes) {
  std::transform(bytes.begin(), bytes.end(), bytes.begin(),
                 [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
}

TEST(TableProperties, PagesThatAreNotNamedDoNotMatter) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    const std::vector<bool> named = named_bytes(problem);
    Bytes& pool = pool_of(other).storage;
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (!named[i]) pool[i] = static_cast<std::uint8_t>(~pool[i]);
    }
    assert_same(run(other), run(problem));
  });
}

TEST(TableProperties, EntriesBeyondTheCountDoNotMatter) {
  check_law(gathers(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    Tensor& table = *other.find("block_table");
    // A row stride of 0 or below the width shares entries between rows.
    RC_PRE(table.shape[0] <= 1 || table.strides[0] >= table.shape[1]);
    const auto filler = *rc::gen::element<std::int32_t>(-1, 0, 1, INT32_MAX, INT32_MIN);
    for (std::int64_t r = 0; r < table.shape[0]; ++r) {
      const std::int64_t pages = i32_at(*other.find("num_pages"), r);
      for (std::int64_t p = pages; p < table.shape[1]; ++p) {
        set_i32(table, r * table.strides[0] + p, filler);
      }
    }
    assert_same(run(other), run(problem));
  });
}

TEST(TableProperties, WhatTheOutputHeldBeforeDoesNotMatter) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    invert(other.find("out")->storage);
    const Bytes first = run(problem);
    Bytes second = run(other);
    const std::vector<bool> written = written_bytes(problem);
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!written[i]) second[i] = static_cast<std::uint8_t>(~second[i]);
    }
    assert_same(second, first);
    for (std::size_t i = 0; i < first.size(); ++i) {
      RC_ASSERT(written[i] || first[i] == problem.find("out")->storage[i]);
    }
  });
}

TEST(TableProperties, RequestsMayChangePlaces) {
  check_law(gathers(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    Tensor& table = *other.find("block_table");
    RC_PRE(table.shape[0] >= 2 && table.strides[0] >= table.shape[1]);
    const auto a = *rc::gen::inRange<std::int64_t>(0, table.shape[0]);
    const auto b = *rc::gen::inRange<std::int64_t>(0, table.shape[0]);
    const auto swap = [](Tensor& tensor, std::int64_t i, std::int64_t j) {
      const std::int32_t kept = i32_at(tensor, i);
      set_i32(tensor, i, i32_at(tensor, j));
      set_i32(tensor, j, kept);
    };
    for (std::int64_t p = 0; p < table.shape[1]; ++p) {
      swap(table, a * table.strides[0] + p, b * table.strides[0] + p);
    }
    swap(*other.find("num_pages"), a, b);
    swap(*other.find("page_offsets"), a, b);
    assert_same(run(other), run(problem));
  });
}

// Permuting what a row names permutes what it gives.
TEST(TableProperties, PermutingTheTablePermutesTheOutput) {
  check_law(gathers(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    const std::vector<PagePlaces> pages = pages_of(problem);
    RC_PRE(problem.find("block_table")->shape[0] == 1 && !pages.empty());
    Tensor& table = *other.find("block_table");
    const std::int64_t count = i32_at(*problem.find("num_pages"), 0);
    std::reverse(
        reinterpret_cast<std::int32_t*>(table.storage.data() + table.origin_bytes),
        reinterpret_cast<std::int32_t*>(table.storage.data() + table.origin_bytes) + count);
    const Bytes before = run(problem);
    const Bytes after = run(other);
    const auto bytes = static_cast<std::ptrdiff_t>(decoded_bytes(problem));
    const std::size_t heads = pages.size() / static_cast<std::size_t>(count);
    for (std::size_t p = 0; p < pages.size(); ++p) {
      const std::size_t mirrored = pages.size() - heads - p / heads * heads + p % heads;
      const auto here = before.begin() + static_cast<std::ptrdiff_t>(pages[p].output);
      const auto there = after.begin() + static_cast<std::ptrdiff_t>(pages[mirrored].output);
      RC_ASSERT(std::equal(here, here + bytes, there));
    }
  });
}

TEST(TableProperties, APageIsTheSameWhereverItIsNamed) {
  check_law(gathers(), [](const UnderTest& run, const Problem& problem) {
    const Bytes out = run(problem);
    std::map<std::size_t, std::size_t> first;  // place in the output, by place in the pool
    const auto bytes = static_cast<std::ptrdiff_t>(decoded_bytes(problem));
    for (const PagePlaces& page : pages_of(problem)) {
      const auto known = first.emplace(page.source, page.output).first;
      const auto here = out.begin() + static_cast<std::ptrdiff_t>(page.output);
      const auto there = out.begin() + static_cast<std::ptrdiff_t>(known->second);
      RC_ASSERT(std::equal(here, here + bytes, there));
    }
  });
}

// The same pages further apart, at another address.
TEST(TableProperties, ThePageStrideDoesNotMatter) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    Tensor& pool = pool_of(other);
    const oracle::PoolLayout& of = *reader_of(problem.operation).pool;
    const std::size_t outer = pool.shape.size() - static_cast<std::size_t>(of.num_inner_axes());
    std::int64_t block = of.layout().page_bytes();
    for (std::size_t axis = 1; axis < outer; ++axis) {
      block += (pool.shape[axis] - 1) * pool.strides[axis];
    }
    // With heads outermost the pages of one head lie inside of another's.
    RC_PRE(!pool.storage.empty());
    RC_PRE(pool.strides[0] >= block);
    const std::int64_t stride = pool.strides[0];
    const std::int64_t wider = stride + 8 * *rc::gen::inRange<std::int64_t>(0, 40);
    // The stored pages are those from `first_id` on; the pool may begin far before them.
    const auto size = static_cast<std::int64_t>(pool.storage.size());
    const std::int64_t first_id = pool.origin_bytes < 0 ? -pool.origin_bytes / stride : 0;
    RC_PRE(pool.origin_bytes + first_id * stride == 0);
    const std::int64_t pages = (size + stride - 1) / stride;
    Bytes storage(static_cast<std::size_t>(size + (pages - 1) * (wider - stride)), 0x5a);
    for (std::int64_t p = 0; p < pages; ++p) {
      const std::int64_t bytes = std::min(stride, size - p * stride);
      std::copy_n(pool.storage.begin() + p * stride, bytes, storage.begin() + p * wider);
    }
    pool.storage = std::move(storage);
    pool.strides[0] = wider;
    pool.origin_bytes = -first_id * wider;
    pool.misalignment_bytes = 8 * *rc::gen::inRange<std::uint32_t>(0, 31);
    assert_same(run(other), run(problem));
  });
}

TEST(TableProperties, ALargerBoundDoesNotMatter) {
  check_law(gathers(), [](const UnderTest& run, const Problem& problem) {
    Problem other = problem;
    other.scalars.at("max_num_pages") += *rc::gen::inRange<std::int64_t>(0, 5);
    RC_PRE(problem.scalars.at("max_num_pages") > 0);
    assert_same(run(other), run(problem));
  });
}

// A kernel that keeps a table, a page or a result from one call is seen by the next.
TEST(TableProperties, CallsDoNotRemember) {
  check_law(page_operations(), [](const UnderTest& run, const Problem& problem) {
    Problem between = problem;
    invert(pool_of(between).storage);
    if (Tensor* const counts = between.find("num_pages"); counts != nullptr) {
      for (std::int64_t r = 0; r < counts->shape[0]; ++r) set_i32(*counts, r, 0);
    }
    const Bytes before = run(problem);
    run(between);
    assert_same(run(problem), before);
  });
}

}  // namespace
}  // namespace properties
