#include "harness/diagnosis/arithmetic_models.hpp"

#include <deque>
#include <mutex>

#include "harness/diagnosis/arithmetic_steps.hpp"

namespace harness {

std::span<const ArithmeticModel> arithmetic_models() {
  static const std::vector<ArithmeticModel> models = [] {
    std::vector<ArithmeticModel> all;
    for (const auto& part :
         {arithmetic::encode_models(), arithmetic::scale_models(), arithmetic::element_models()}) {
      all.insert(all.end(), part.begin(), part.end());
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
    oracle::ScaleFormat format;
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
