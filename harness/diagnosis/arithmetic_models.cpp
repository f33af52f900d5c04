#include "harness/diagnosis/arithmetic_models.hpp"

#include <deque>
#include <mutex>

#include "harness/diagnosis/arithmetic_steps.hpp"
#include "harness/diagnosis/store_faults.hpp"

namespace harness {

namespace {

// As a page reader stores a product, whose NaN has a sign of its own (model_results).
Store store_of_products(const ArithmeticSetting& setting) {
  Store store = store_of(setting.destination, *setting.profile);
  store.special.keep_nan_sign = false;
  store.special.keep_overflow_sign = false;
  return store;
}

ArithmeticModel model_of(const StoreFault& fault) {
  return {fault.fault_class, fault.variant,
          [&fault](const ArithmeticSetting& s) {
            const Store store = store_of_products(s);
            // In bf16 and f32 these are the subnormals of f32: flush_to_zero_default_differs.
            const bool of_f32 =
                oracle::min_exponent(store.to) == oracle::min_exponent(oracle::f32::spec);
            return fault.applies(store) && !(of_f32 && fault.fault_class == "enc_subnormal_flush");
          },
          [&fault](const ArithmeticSetting& s, std::uint8_t code, std::uint8_t scale) {
            return fault.result(store_of_products(s), arithmetic::product_of(s, code, scale));
          }};
}

}  // namespace

std::span<const ArithmeticModel> arithmetic_models() {
  static const std::vector<ArithmeticModel> models = [] {
    std::vector<ArithmeticModel> all;
    for (const StoreFault& fault : store_faults()) all.push_back(model_of(fault));
    for (const auto& part :
         {arithmetic::sign_faults(), arithmetic::scale_faults(), arithmetic::element_faults()}) {
      for (const arithmetic::PairFault& fault : part) {
        all.push_back({fault.fault_class, fault.variant, fault.applies, fault.result});
      }
    }
    return all;
  }();
  return models;
}

ResultTable right_results(const ArithmeticSetting& setting) {
  ResultTable table{};
  for (unsigned pair = 0; pair < table.size(); ++pair) {
    table[pair] = arithmetic::right(setting, static_cast<std::uint8_t>(pair % 16),
                                    static_cast<std::uint8_t>(pair / 16));
  }
  return table;
}

const std::vector<ResultTable>& model_results(const ArithmeticSetting& setting) {
  struct Made {
    oracle::FormatSpec format;
    oracle::Dtype destination;
    oracle::Profile profile;
    std::vector<ResultTable> tables;
  };
  static std::mutex mutex;
  static std::deque<Made> all;
  const std::lock_guard lock(mutex);
  for (const Made& made : all) {
    if (made.format == setting.format && made.destination == setting.destination &&
        made.profile == *setting.profile) {
      return made.tables;
    }
  }
  const ResultTable right = right_results(setting);
  const oracle::FormatSpec& spec = arithmetic::spec_of(setting);
  const std::uint32_t nan = arithmetic::nan_of(setting);
  Made& made = all.emplace_back(Made{setting.format, setting.destination, *setting.profile, {}});
  for (const ArithmeticModel& model : arithmetic_models()) {
    ResultTable& table = made.tables.emplace_back();
    if (!model.applies(setting)) continue;
    const bool sign_is_right = model.fault_class != "nan_sign";
    for (unsigned pair = 0; pair < table.size(); ++pair) {
      table[pair] = model.result(setting, static_cast<std::uint8_t>(pair % 16),
                                 static_cast<std::uint8_t>(pair / 16));
      // A NaN that the fault leaves a NaN has the sign that the profile gives it.
      const bool both = oracle::is_nan(spec, right[pair]) && table[pair] == nan;
      if (both && sign_is_right) table[pair] = right[pair];
    }
  }
  return made.tables;
}

}  // namespace harness
