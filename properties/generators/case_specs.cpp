#include "properties/generators/case_specs.hpp"

namespace nlohmann {
void showValue(const json& spec, std::ostream& os) { os << spec.dump(); }
}  // namespace nlohmann

namespace properties {

rc::Gen<nlohmann::json> any_spec(const harness::Operation& operation) {
  return [&operation](const rc::Random& random, int /*size*/) {
    rc::Random source = random;
    return rc::shrinkable::shrinkRecur(
        operation.random_spec(source.next()), [&operation](const nlohmann::json& spec) {
          return rc::seq::fromContainer(operation.smaller_specs(spec));
        });
  };
}

}  // namespace properties
