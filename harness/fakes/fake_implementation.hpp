// Implementations of the fake operation that behave and misbehave, each by the name of its path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/implementations/guards/guarded_implementation.hpp"
#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/implementation.hpp"

namespace harness::fakes {

// The names of the behaviours in fake_implementation.cpp, "right" among them. Any other name is an
// implementation that is not available.
std::vector<std::string> all_behaviours();
std::unique_ptr<GuardedImplementation> fake_implementation(const std::string& behaviour,
                                                           const std::string& device = "cpu");

// Kind "fake": {"kind": "fake", "device": "cpu", "behaviours": [...]}, and with "open": "fails",
// "crashes" or "hangs" one that breaks already when it is opened.
SourceKinds fake_kinds();

}  // namespace harness::fakes
