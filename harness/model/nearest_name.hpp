// The name that somebody may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// The one of `names` that is nearest to a word that is none of them: at most a third of its letters
// inserted, left out, changed or swapped with their neighbour, or one that begins with it. Empty
// where none is near, or two are equally.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

// "; did you mean --level?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace harness
