// The classes of fault that a diagnosis can name. docs/faults.md describes those that have an id.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

struct FaultClass {
  std::string_view name;   // "enc_truncates": what Diagnosis::fault_class holds
  std::string_view id;     // "A04"; empty for a class that no report is known of
  std::string_view title;  // what goes wrong, as the rest of "the kernel ..."
};

std::span<const FaultClass> fault_classes();
// Null for a name that is not in the list.
const FaultClass* fault_class_named(std::string_view name);

// The classes that an explanation names, in its order: of a diagnosis, or of the message of an
// access that ended a call.
std::vector<std::string> fault_classes_in(std::string_view explanation);

// The one class that accounts for most of what was seen, for each of which `candidates` holds the
// classes that fit it, the likeliest first. Empty without any.
std::string joint_fault_class(std::span<const std::vector<std::string>> candidates);

}  // namespace harness
