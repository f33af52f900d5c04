// Models of faults, made into hypotheses about the output of one call.
#pragma once

#include "harness/diagnosis/hints.hpp"
#include "harness/diagnosis/hypothesis.hpp"
#include "harness/diagnosis/page_models.hpp"
#include "harness/diagnosis/page_scene.hpp"

namespace harness {

// Considers every model, until one of a family accounts for every element.
void consider_page_faults(const PageScene& scene, const Judged& judged, const Sample& sample,
                          PairsSay pairs_say, Naming& naming);

// The pair of code and scale that element `i` of the output is made from; false where no request
// writes it.
class PagePairs {
 public:
  explicit PagePairs(const PageScene& scene);

  struct Pair {
    bool written = false;
    std::uint8_t code = 0;
    std::uint8_t scale = 0;
  };
  Pair at(std::size_t i) const;
  const PageJob* job_of(std::size_t i) const;

 private:
  const PageScene& scene_;
  std::vector<const PageJob*> by_slot_;  // from the scene's first slot
};

}  // namespace harness
