// Faults of the families of docs/faults.md that nobody has listed and no case was made for: the
// cases of level standard must see each of them. A fault is the right answer, spoiled; or the right
// answer to a spoiled call.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <utility>

#include "harness/judge.hpp"
#include "harness/operation.hpp"
#include "oracle/product.hpp"
#include "pages.hpp"

namespace properties {
namespace {

using harness::Outputs;
using harness::Problem;
using harness::Tensor;

constexpr std::string_view nvfp4 = "nvfp4_gather_index_k";
constexpr std::string_view mxfp4 = "mxfp4_gather_pages";

// One element of an output: where it is and what it was made from.
struct Element {
  int token = 0;
  int element = 0;
  std::uint8_t code = 0;
  std::uint8_t scale = 0;
  std::uint8_t* bytes = nullptr;  // low byte first
};

using Spoil = std::function<void(Problem& call)>;                         // before
using SpoilElement = std::function<void(const Problem&, Element& each)>;  // after
using SpoilOutput =
    std::function<void(const Problem& call, std::vector<std::uint8_t>& out)>;  // after

struct Fault {
  std::string_view name;
  std::string_view operation;
  Spoil call;
  SpoilElement element;
  SpoilOutput output;
};

// How GoogleTest prints one.
void PrintTo(const Fault& fault, std::ostream* os) { *os << fault.name; }

void for_each_element(const Problem& call, std::vector<std::uint8_t>& out,
                      const SpoilElement& spoil) {
  const oracle::PageLayout& layout = layout_of(call.operation);
  for (const PagePlaces& page : pages_of(call)) {
    const std::uint8_t* const bytes = pool_of(call).storage.data() + page.source;
    std::uint8_t* at = out.data() + page.output;
    for (int token = 0; token < layout.num_tokens; ++token) {
      for (int element = 0; element < layout.head_dim; ++element, at += element_bytes(call)) {
        Element each{token, element, layout.code(bytes, token, element),
                     layout.scale(bytes, token, layout.group_of(element)), at};
        spoil(call, each);
      }
    }
  }
}

class Spoiled final : public harness::Implementation {
 public:
  Spoiled(const harness::Operation& operation, const Fault& fault)
      : operation_(operation), fault_(fault) {
    info_.operation = operation.name();
    info_.path = fault.name;
    info_.device = "cpu";
  }

  harness::Result<harness::Execution> execute(const Problem& problem) override {
    Problem call = problem;
    if (fault_.call) fault_.call(call);
    harness::Result<Outputs> outputs = operation_.expected(call, oracle::profiles::ocp());
    if (!outputs) return tl::make_unexpected(outputs.error());
    if (fault_.element) for_each_element(call, outputs->front(), fault_.element);
    if (fault_.output) fault_.output(call, outputs->front());
    return harness::Execution{std::move(*outputs), {}, 1e-6};
  }

 private:
  const harness::Operation& operation_;
  const Fault& fault_;
};

// Every page that the call names, once, as its layout and bytes.
void for_each_page(Problem& call,
                   const std::function<void(const PagePlaces&, std::uint8_t* page)>& change) {
  std::vector<std::size_t> changed;
  for (const PagePlaces& page : pages_of(call)) {
    if (std::find(changed.begin(), changed.end(), page.source) != changed.end()) continue;
    changed.push_back(page.source);
    change(page, pool_of(call).storage.data() + page.source);
  }
}

Fault element_fault(std::string_view name, std::string_view operation, SpoilElement spoil) {
  return {name, operation, {}, std::move(spoil), {}};
}
Fault call_fault(std::string_view name, std::string_view operation, Spoil spoil) {
  return {name, operation, std::move(spoil), {}, {}};
}
Fault output_fault(std::string_view name, std::string_view operation, SpoilOutput spoil) {
  return {name, operation, {}, {}, std::move(spoil)};
}

unsigned magnitude(const Element& each) { return *each.bytes & 0x7fU; }

// Leaves a page of the output as it was before the call.
void keep_fill(const Problem& call, std::vector<std::uint8_t>& out, const PagePlaces& page) {
  const auto first = static_cast<std::ptrdiff_t>(page.output);
  std::copy_n(call.find("out")->storage.begin() + first, decoded_bytes(call), out.begin() + first);
}

std::vector<Fault> arithmetic_faults() {
  return {
      element_fault("inexact_results_get_an_odd_mantissa", nvfp4,
                    [](const Problem&, Element& e) {
                      const auto bits = [&](std::uint8_t scale, oracle::Dtype to) {
                        return oracle::decode_element(oracle::ScaleFormat::e4m3, e.code, scale, to,
                                                      oracle::profiles::ocp());
                      };
                      // An exact product comes back from f16 with three mantissa bits at most.
                      const bool exact = (bits(e.scale, oracle::Dtype::f16) & 0x7f) == 0;
                      if (!exact && magnitude(e) >= 8 && magnitude(e) < 0x7e) *e.bytes |= 1;
                    }),
      element_fault("nan_has_the_sign_of_the_element", nvfp4,
                    [](const Problem&, Element& e) {
                      if (magnitude(e) == 0x7f && e.code >= 8) *e.bytes = 0xff;
                    }),
      element_fault("odd_elements_end_at_240", nvfp4,
                    [](const Problem&, Element& e) {
                      if (e.element % 2 == 1 && magnitude(e) > 0x77 && magnitude(e) < 0x7f) {
                        *e.bytes = static_cast<std::uint8_t>((*e.bytes & 0x80) | 0x77);
                      }
                    }),
      element_fault("negative_results_saturate_early", nvfp4,
                    [](const Problem&, Element& e) {
                      if (*e.bytes == 0xfe) *e.bytes = 0xfd;
                    }),
      element_fault("odd_subnormal_results_are_flushed", nvfp4,
                    [](const Problem&, Element& e) {
                      if (e.element % 2 == 1 && magnitude(e) < 8) *e.bytes &= 0x80;
                    }),
      element_fault("zero_is_positive_under_negative_scales", nvfp4,
                    [](const Problem&, Element& e) {
                      if (*e.bytes == 0x80 && (e.scale & 0x80) != 0) *e.bytes = 0;
                    }),
      element_fault("f16_overflow_saturates", mxfp4,
                    [](const Problem& call, Element& e) {
                      if (call.find("out")->dtype != harness::DType::f16) return;
                      if ((e.bytes[1] & 0x7f) == 0x7c && e.bytes[0] == 0) {
                        e.bytes[0] = 0xff;
                        e.bytes[1] = static_cast<std::uint8_t>(e.bytes[1] - 1);
                      }
                    }),
      element_fault("bf16_subnormals_are_flushed", mxfp4,
                    [](const Problem& call, Element& e) {
                      if (call.find("out")->dtype != harness::DType::bf16) return;
                      const unsigned bits = e.bytes[0] | unsigned{e.bytes[1]} << 8;
                      if ((bits & 0x7f80) == 0) e.bytes[0] = 0, e.bytes[1] &= 0x80;
                    }),
      call_fault("large_scales_are_clamped", mxfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                     for (int i = 8192; i < 8704; ++i) {
                       if (page[i] > 0xf0 && page[i] < 0xff) page[i] = 0xf0;
                     }
                   });
                 }),
  };
}

std::vector<Fault> layout_faults() {
  return {
      call_fault("upper_tokens_have_the_lower_tokens_scales", nvfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                     std::copy_n(page + 8192, 512, page + 8192 + 512);
                   });
                 }),
      call_fault("words_of_odd_tokens_are_swapped", nvfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                     for (int i = 64; i < 8192; i += 128) {
                       for (int word = 0; word < 64; word += 8) {
                         std::swap_ranges(page + i + word, page + i + word + 4,
                                          page + i + word + 4);
                       }
                     }
                   });
                 }),
      call_fault("last_group_has_the_next_tokens_scale", nvfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                     for (int i = 8192 + 7; i + 1 < 9216; i += 8) page[i] = page[i + 1];
                   });
                 }),
      call_fault("odd_pages_have_their_nibbles_swapped", nvfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces& place, std::uint8_t* page) {
                     if (place.page_id % 2 == 0) return;
                     for (int i = 0; i < 8192; ++i) {
                       page[i] = static_cast<std::uint8_t>(page[i] << 4 | page[i] >> 4);
                     }
                   });
                 }),
      call_fault("later_heads_have_the_first_heads_scales", mxfp4,
                 [](Problem& call) {
                   const std::vector<PagePlaces> pages = pages_of(call);
                   std::uint8_t* const pool = pool_of(call).storage.data();
                   std::size_t first = 0;
                   for (const PagePlaces& page : pages) {
                     if (page.head == 0) first = page.source;
                     std::copy_n(pool + first + 8192, 512, pool + page.source + 8192);
                   }
                 }),
      call_fault("scales_of_a_pair_of_tokens_are_swapped", mxfp4,
                 [](Problem& call) {
                   for_each_page(call, [](const PagePlaces&, std::uint8_t* page) {
                     for (int i = 8192; i < 8704; i += 8) {
                       std::swap_ranges(page + i, page + i + 4, page + i + 4);
                     }
                   });
                 }),
  };
}

std::vector<Fault> gather_faults() {
  return {
      output_fault("the_last_of_an_odd_number_of_pages_is_left", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     const std::vector<PagePlaces> pages = pages_of(call);
                     for (std::size_t i = 0; i < pages.size(); ++i) {
                       const std::int64_t r = pages[i].request;
                       const std::int32_t count = i32_at(*call.find("num_pages"), r);
                       const bool last = i + 1 == pages.size() || pages[i + 1].request != r;
                       if (last && count > 1 && count % 2 == 1) keep_fill(call, out, pages[i]);
                     }
                   }),
      output_fault("pages_past_32_of_a_request_are_left", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     std::int64_t request = -1;
                     int seen = 0;
                     for (const PagePlaces& page : pages_of(call)) {
                       seen = page.request == request ? seen + 1 : 0;
                       request = page.request;
                       if (seen >= 32) keep_fill(call, out, page);
                     }
                   }),
      output_fault("requests_past_64_are_left", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     for (const PagePlaces& page : pages_of(call)) {
                       if (page.request >= 64) keep_fill(call, out, page);
                     }
                   }),
      output_fault("pages_of_odd_requests_come_from_the_row_above", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     const std::vector<PagePlaces> pages = pages_of(call);
                     for (const PagePlaces& page : pages) {
                       if (page.request % 2 == 0) continue;
                       for (const PagePlaces& above : pages) {
                         if (above.request != page.request - 1) continue;
                         std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(above.output),
                                     decoded_bytes(call),
                                     out.begin() + static_cast<std::ptrdiff_t>(page.output));
                         break;
                       }
                     }
                   }),
      output_fault("output_pages_past_2_17_are_left", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     const std::int64_t origin = call.find("out")->origin_bytes;
                     for (const PagePlaces& page : pages_of(call)) {
                       const auto index = (static_cast<std::int64_t>(page.output) - origin) / 16384;
                       if (index > (1 << 17)) keep_fill(call, out, page);
                     }
                   }),
      output_fault("ids_past_2_20_are_left", nvfp4,
                   [](const Problem& call, std::vector<std::uint8_t>& out) {
                     for (const PagePlaces& page : pages_of(call)) {
                       if (page.page_id >= (1 << 20)) keep_fill(call, out, page);
                     }
                   }),
      output_fault(
          "the_last_16_bytes_of_a_page_are_left", mxfp4,
          [](const Problem& call, std::vector<std::uint8_t>& out) {
            for (const PagePlaces& page : pages_of(call)) {
              const auto end = static_cast<std::ptrdiff_t>(page.output + decoded_bytes(call));
              std::copy_n(call.find("out")->storage.begin() + end - 16, 16, out.begin() + end - 16);
            }
          }),
  };
}

std::vector<Fault> all_faults() {
  std::vector<Fault> faults = arithmetic_faults();
  for (Fault& fault : layout_faults()) faults.push_back(std::move(fault));
  for (Fault& fault : gather_faults()) faults.push_back(std::move(fault));
  return faults;
}

class UnlistedFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(UnlistedFaults, DieAtLevelStandard) {
  const Fault& fault = GetParam();
  const harness::Operation& operation = *harness::operation_named(fault.operation);
  Spoiled implementation(operation, fault);
  std::size_t failing = 0;
  std::string first;
  for (const harness::Case& each : operation.cases(harness::Level::standard, 1)) {
    auto prepared = harness::PreparedCase::make(operation, each, oracle::profiles::ocp());
    ASSERT_TRUE(prepared) << prepared.error().message;
    const harness::CaseRecord record =
        harness::judge(operation, oracle::profiles::ocp(), *prepared, implementation);
    ASSERT_NE(record.verdict, harness::Verdict::error) << each.id << ": " << record.reason;
    if (record.verdict == harness::Verdict::pass) continue;
    if (failing++ == 0) first = each.id;
  }
  EXPECT_GT(failing, 0U) << "survives";
  RecordProperty("failing_cases", static_cast<int>(failing));
  RecordProperty("first", first);
}

INSTANTIATE_TEST_SUITE_P(All, UnlistedFaults, ::testing::ValuesIn(all_faults()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// The spoiling itself changes nothing where there is no fault.
TEST(Spoiled, ChangesNothingWithoutAFault) {
  const Fault none{"none", nvfp4, {}, [](const Problem&, Element&) {}, {}};
  const harness::Operation& operation = *harness::operation_named(nvfp4);
  Spoiled implementation(operation, none);
  for (const harness::Case& each : operation.cases(harness::Level::smoke, 1)) {
    auto prepared = harness::PreparedCase::make(operation, each, oracle::profiles::ocp());
    ASSERT_TRUE(prepared);
    EXPECT_EQ(harness::judge(operation, oracle::profiles::ocp(), *prepared, implementation).verdict,
              harness::Verdict::pass);
  }
}

}  // namespace
}  // namespace properties
