// What is said about wrong bytes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/model/wrong_map.hpp"

namespace harness {

// One wrong byte (or element, for outputs wider than a byte).
struct Mismatch {
  std::string tensor;
  std::uint64_t byte = 0;  // from the first byte of the tensor's storage
  std::uint32_t expected = 0;
  std::uint32_t actual = 0;
  // Coordinates and inputs, in the operation's own words and in reading order: page, token,
  // element, group, code, scale, and both results decoded. Values are numbers or strings.
  nlohmann::ordered_json site;
  std::string text;  // the same as one line for a person
};

struct Diagnosis {
  std::uint64_t mismatches = 0;  // wrong elements
  std::vector<Mismatch> first;   // at most max_listed, in order of place
  WrongMap wrong_map;            // of all of them
  std::string fault_class;       // snake_case, empty where nothing accounts for the bytes
  // Other classes that give the same bytes on these inputs, so that only another case tells them
  // from fault_class; where that is empty, from each other.
  std::vector<std::string> same_bytes_classes;
  std::string explanation;       // one or two sentences: what the class is, how much it explains
  std::string matching_profile;  // a shipped profile that all bytes agree with, else empty
  static constexpr std::size_t max_listed = 64;
};

}  // namespace harness
