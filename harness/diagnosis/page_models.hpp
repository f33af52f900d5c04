// Addressing faults of page operations: kernels that multiply rightly, but take other pages, other
// bytes of a page, or write elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/diagnosis/page_scene.hpp"

namespace harness {

// Where an element comes from, in bytes from the pool's element [0, ..., 0].
struct ElementSource {
  std::int64_t code_byte = 0;
  int code_shift = 0;
  std::int64_t scale_byte = 0;
  bool zero_code = false;  // no code is read: it is taken for 0
};
ElementSource right_source(const PageScene& scene, const PageJob& job, int token, int element);

// A fault changes which pages go where, or where the elements of a page come from, or both. What is
// empty is as it should be.
struct PageModel {
  std::string_view fault_class;  // of fault_classes.hpp
  std::string variant;           // what this form of it does, as the rest of a sentence
  std::function<std::vector<PageJob>(const PageScene& scene)> jobs;
  std::function<ElementSource(const PageScene& scene, const PageJob& job, int token, int element)>
      source;
  // Reads from the pool at this offset and beyond give zero.
  std::int64_t zero_from = INT64_MAX;
  // Whether the call can tell it from others; empty: it can.
  std::function<bool(const PageScene& scene)> told = {};
};

// Inside a page: the order of codes and scales. By the layouts alone.
std::vector<PageModel> layout_models(const PageScene& scene);
// From page to page: tables, strides, offsets, and what stays unwritten.
std::vector<PageModel> gather_models(const PageScene& scene);
// Codes or scales read some bytes away from their place: what is left when no fault with a name
// fits.
std::vector<PageModel> offset_models(const oracle::PageLayout& layout);

}  // namespace harness
