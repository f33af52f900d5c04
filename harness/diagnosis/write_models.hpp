// Writers that are wrong on purpose, as models: of a row they make codes and scales, or they put
// right ones where they do not belong.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/operations/write_operation.hpp"

namespace harness {

struct WriteModel {
  std::string_view fault_class;
  std::string variant;
  // The pool's storage after a call of such a writer.
  std::function<std::vector<std::uint8_t>()> pool;
};

// What a call has, for models to be made from.
struct WriteScene {
  const WriteForm& form;
  const Problem& problem;
  const oracle::Profile& profile;
  const oracle::WritePlan& plan;
};

// The more specific first. Models hold references to the scene.
std::vector<WriteModel> write_models(const WriteScene& scene);

}  // namespace harness
