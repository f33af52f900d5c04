// The words of page specs, for the sources that read and write them.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "harness/suite/operations/page_spec.hpp"
#include "harness/suite/operations/spec_reader.hpp"

namespace harness {

inline constexpr std::array<std::pair<ContentKind, std::string_view>, 5> content_kinds{
    {{ContentKind::exhaustive, "exhaustive"},
     {ContentKind::layout, "layout"},
     {ContentKind::probe, "probe"},
     {ContentKind::random, "random"},
     {ContentKind::named, "named"}}};
inline constexpr std::array<std::pair<Beyond, std::string_view>, 3> beyonds{
    {{Beyond::poison, "poison"}, {Beyond::valid, "valid"}, {Beyond::unstored, "unstored"}}};
inline constexpr std::array<std::pair<IdPattern, std::string_view>, 5> patterns{
    {{IdPattern::sequential, "sequential"},
     {IdPattern::reversed, "reversed"},
     {IdPattern::scattered, "scattered"},
     {IdPattern::repeated, "repeated"},
     {IdPattern::list, "list"}}};
inline constexpr std::array<std::pair<OutputOrder, std::string_view>, 2> orders{
    {{OutputOrder::packed, "packed"}, {OutputOrder::reversed, "reversed"}}};

template <class Enum, std::size_t size>
EnumNames<Enum> names(const std::array<std::pair<Enum, std::string_view>, size>& table) {
  return EnumNames<Enum>(table);
}

}  // namespace harness
