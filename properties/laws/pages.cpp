#include "properties/laws/pages.hpp"

#include <cassert>
#include <cstring>
#include <set>

namespace properties {

using harness::Problem;
using harness::Tensor;

std::vector<std::string_view> page_operations(bool (*chosen)(const oracle::PageReader&)) {
  std::vector<std::string_view> names;
  for (const oracle::PageReader* reader : oracle::readers::all) {
    if (chosen == nullptr || chosen(*reader)) names.push_back(reader->name);
  }
  return names;
}

std::vector<std::string_view> gathers() {
  return page_operations([](const oracle::PageReader& reader) { return reader.has_table; });
}

const oracle::PageReader& reader_of(std::string_view operation) {
  const oracle::PageReader* reader = oracle::reader_named(operation);
  assert(reader != nullptr);
  return *reader;
}

const oracle::PageLayout& layout_of(std::string_view operation, std::int64_t plane) {
  return reader_of(operation).pool->layout(plane);
}

const Tensor& pool_of(const Problem& problem) { return problem.tensors.front(); }
Tensor& pool_of(Problem& problem) { return problem.tensors.front(); }

std::int32_t i32_at(const Tensor& tensor, std::int64_t i) {
  std::int32_t value = 0;
  std::memcpy(&value, tensor.storage.data() + tensor.origin_bytes + i * 4, 4);
  return value;
}

void set_i32(Tensor& tensor, std::int64_t i, std::int32_t value) {
  std::memcpy(tensor.storage.data() + tensor.origin_bytes + i * 4, &value, 4);
}

std::size_t element_bytes(const Problem& problem) {
  return harness::element_bytes(problem.find("out")->dtype);
}

std::size_t decoded_bytes(const Problem& problem) {
  const oracle::PageLayout& layout = layout_of(problem.operation);
  return static_cast<std::size_t>(layout.page_elements()) * element_bytes(problem);
}

std::uint32_t element_at(const std::vector<std::uint8_t>& output, std::size_t byte,
                         std::size_t bytes) {
  std::uint32_t element = 0;
  for (std::size_t i = 0; i < bytes; ++i) element |= std::uint32_t{output[byte + i]} << (8 * i);
  return element;
}

std::vector<PagePlaces> pages_of(const Problem& problem) {
  const Tensor& pool = pool_of(problem);
  const Tensor& out = *problem.find("out");
  const oracle::PoolLayout& of = *reader_of(problem.operation).pool;
  const std::int64_t planes = of.num_planes();
  const std::size_t outer = pool.shape.size() - static_cast<std::size_t>(of.num_inner_axes());
  const bool has_head_axis = outer == (planes > 1 ? 3U : 2U);
  const std::int64_t heads = has_head_axis ? pool.shape[outer - 1] : 1;
  const auto page_out = static_cast<std::int64_t>(decoded_bytes(problem));
  std::vector<PagePlaces> pages;
  const auto add = [&](std::int64_t request, std::int64_t id, std::int64_t output_page) {
    for (std::int64_t side = 0; side < planes * heads; ++side) {
      const std::int64_t plane = side / heads;
      const std::int64_t head = side % heads;
      const std::int64_t source = pool.origin_bytes + id * pool.strides[0] +
                                  (planes > 1 ? plane * pool.strides[1] : 0) +
                                  (has_head_axis ? head * pool.strides[outer - 1] : 0);
      const std::int64_t output =
          out.origin_bytes + (output_page * planes * heads + side) * page_out;
      pages.push_back({request, id, plane, head, static_cast<std::size_t>(source),
                       static_cast<std::size_t>(output)});
    }
  };
  const Tensor* const table = problem.find("block_table");
  if (table == nullptr) {
    for (std::int64_t page = 0; page < pool.shape[0]; ++page) add(0, page, page);
    return pages;
  }
  if (problem.scalars.at("max_num_pages") == 0) return pages;
  for (std::int64_t r = 0; r < table->shape[0]; ++r) {
    const std::int64_t first = i32_at(*problem.find("page_offsets"), r);
    const std::int64_t count = i32_at(*problem.find("num_pages"), r);
    for (std::int64_t p = 0; p < count; ++p) {
      add(r, i32_at(*table, r * table->strides[0] + p), first + p);
    }
  }
  return pages;
}

void for_each_page(Problem& problem,
                   const std::function<void(const PagePlaces&, std::uint8_t* page)>& change) {
  std::set<std::size_t> changed;
  for (const PagePlaces& page : pages_of(problem)) {
    if (changed.insert(page.source).second) {
      change(page, pool_of(problem).storage.data() + page.source);
    }
  }
}

void for_each_element(const Problem& problem, const std::function<void(const Element&)>& visit) {
  for (const PagePlaces& page : pages_of(problem)) {
    const oracle::PageLayout& layout = layout_of(problem.operation, page.plane);
    const std::uint8_t* const bytes = pool_of(problem).storage.data() + page.source;
    std::size_t output = page.output;
    for (int token = 0; token < layout.num_tokens; ++token) {
      for (int element = 0; element < layout.head_dim; ++element) {
        visit({page, token, element, layout.code(bytes, token, element),
               layout.scale(bytes, token, layout.group_of(element)), output});
        output += element_bytes(problem);
      }
    }
  }
}

}  // namespace properties
