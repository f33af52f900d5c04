// Random cases of an operation for RapidCheck: the generators and the smaller specs of `fp4cts
// fuzz`, so that a law is tried on the same edges and shrinks to the same small cases.
#pragma once

#include <rapidcheck.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "harness/model/operation.hpp"

// How RapidCheck prints a spec: as the text that a saved failure holds.
namespace nlohmann {
void showValue(const json& spec, std::ostream& os);
}

namespace properties {

// Specs that Operation::build takes.
rc::Gen<nlohmann::json> any_spec(const harness::Operation& operation);

}  // namespace properties
