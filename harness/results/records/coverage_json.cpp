// Coverage as JSON.
#include "harness/model/coverage.hpp"
#include "harness/results/records/record_reader.hpp"

namespace harness {
namespace {

constexpr std::size_t digits_of_word = 16;

bool read_words(std::string_view digits, std::array<std::uint64_t, 64>& words) {
  if (digits.size() != words.size() * digits_of_word) return false;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const char* begin = digits.data() + w * digits_of_word;
    const char* end = begin + digits_of_word;
    const auto [rest, error] = std::from_chars(begin, end, words[w], 16);
    if (error != std::errc{} || rest != end) return false;
  }
  return true;
}

}  // namespace

nlohmann::ordered_json to_json(const Coverage& coverage) {
  nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  if (coverage.pairs_hit() != 0) {
    for (const std::uint64_t count : coverage.pairs_) pairs.push_back(count);
    for (const Coverage::PairSet& place : coverage.places_) {
      std::string digits;
      for (const std::uint64_t word : place.words) digits += fmt::format("{:016x}", word);
      places.push_back(std::move(digits));
    }
  }
  return {{"bins", coverage.bins_}, {"pairs", std::move(pairs)}, {"places", std::move(places)}};
}

Result<Coverage> coverage_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  Coverage coverage;
  const auto take_count = [&](const char* key, const nlohmann::json& value) -> std::uint64_t {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    reader.fault(key, "expected counts, got " + describe(value));
    return 0;
  };
  for (const auto& [bin, count] : reader.object("bins").items()) {
    coverage.bins_[bin] = take_count("bins", count);
  }
  const nlohmann::json& pairs = reader.list("pairs");
  const std::vector<std::string> places = reader.texts("places");
  if (pairs.empty() && places.empty()) return reader.finish(coverage);
  if (pairs.size() != coverage.pairs_.size()) {
    reader.fault("pairs", fmt::format("expected {} counts or none, got {}", coverage.pairs_.size(),
                                      pairs.size()));
  }
  if (places.size() != coverage.places_.size()) {
    reader.fault("places", fmt::format("expected {} strings or none, got {}",
                                       coverage.places_.size(), places.size()));
  }
  for (std::size_t i = 0; i < std::min(pairs.size(), coverage.pairs_.size()); ++i) {
    coverage.pairs_[i] = take_count("pairs", pairs[i]);
  }
  for (std::size_t i = 0; i < std::min(places.size(), coverage.places_.size()); ++i) {
    if (!read_words(places[i], coverage.places_[i].words)) {
      reader.fault("places", fmt::format("expected {} hex digits at place {}, got \"{}\"",
                                         64 * digits_of_word, i, places[i]));
    }
  }
  return reader.finish(coverage);
}

}  // namespace harness
