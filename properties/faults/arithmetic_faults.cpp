#include <algorithm>
#include <utility>

#include "oracle/pages/product.hpp"
#include "properties/faults/unlisted_faults.hpp"

namespace properties {
namespace {

unsigned magnitude(const Spoilable& each) { return *each.bytes & 0x7fU; }

}  // namespace

using harness::Problem;

std::vector<Fault> arithmetic_faults() {
  return {
      named({"product_values_wrong"},
            element_fault("inexact_results_get_an_odd_mantissa", nvfp4,
                          [](const Problem&, Spoilable& e) {
                            const auto bits = [&](std::uint8_t scale, oracle::Dtype to) {
                              return oracle::decode_element(oracle::e4m3::spec, e.code, scale, to,
                                                            oracle::profiles::ocp());
                            };
                            // An exact product comes back from f16 with three mantissa bits at
                            // most.
                            const bool exact = (bits(e.scale, oracle::Dtype::f16) & 0x7f) == 0;
                            if (!exact && magnitude(e) >= 8 && magnitude(e) < 0x7e) *e.bytes |= 1;
                          })),
      named({"product_values_wrong", "nan_sign"},
            element_fault("nan_has_the_sign_of_the_element", nvfp4,
                          [](const Problem&, Spoilable& e) {
                            if (magnitude(e) == 0x7f && e.code >= 8) *e.bytes = 0xff;
                          })),
      element_fault("odd_elements_end_at_240", nvfp4,
                    [](const Problem&, Spoilable& e) {
                      if (e.element % 2 == 1 && magnitude(e) > 0x77 && magnitude(e) < 0x7f) {
                        *e.bytes = static_cast<std::uint8_t>((*e.bytes & 0x80) | 0x77);
                      }
                    }),
      named({"store_values_wrong", "product_values_wrong"},
            element_fault("negative_results_saturate_early", nvfp4,
                          [](const Problem&, Spoilable& e) {
                            if (*e.bytes == 0xfe) *e.bytes = 0xfd;
                          })),
      element_fault("odd_subnormal_results_are_flushed", nvfp4,
                    [](const Problem&, Spoilable& e) {
                      if (e.element % 2 == 1 && magnitude(e) < 8) *e.bytes &= 0x80;
                    }),
      named({"product_values_wrong"}, element_fault("zero_is_positive_under_negative_scales", nvfp4,
                                                    [](const Problem&, Spoilable& e) {
                                                      if (*e.bytes == 0x80 && (e.scale & 0x80) != 0)
                                                        *e.bytes = 0;
                                                    })),
      named({"store_values_wrong", "product_values_wrong", "infinity_becomes_largest"},
            element_fault("f16_overflow_saturates", mxfp4,
                          [](const Problem& call, Spoilable& e) {
                            if (call.find("out")->dtype != harness::DType::f16) return;
                            if ((e.bytes[1] & 0x7f) == 0x7c && e.bytes[0] == 0) {
                              e.bytes[0] = 0xff;
                              e.bytes[1] = static_cast<std::uint8_t>(e.bytes[1] - 1);
                            }
                          })),
      named({"store_values_wrong", "product_values_wrong", "enc_subnormal_flush",
             "flush_to_zero_default_differs"},
            element_fault("bf16_subnormals_are_flushed", mxfp4,
                          [](const Problem& call, Spoilable& e) {
                            if (call.find("out")->dtype != harness::DType::bf16) return;
                            const unsigned bits = e.bytes[0] | unsigned{e.bytes[1]} << 8;
                            if ((bits & 0x7f80) == 0) e.bytes[0] = 0, e.bytes[1] &= 0x80;
                          })),
      named({"scale_values_wrong", "product_values_wrong"},
            call_fault("large_scales_are_clamped", mxfp4,
                       [](Problem& call) {
                         for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                           for (int i = 8192; i < 8704; ++i) {
                             if (page[i] > 0xf0 && page[i] < 0xff) page[i] = 0xf0;
                           }
                         });
                       })),
  };
}

}  // namespace properties
