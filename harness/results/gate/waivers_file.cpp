#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <optional>

#include "harness/files/strict_json.hpp"
#include "harness/results/gate/waivers.hpp"

namespace harness {
namespace {

// "2026-12-31", a day of the calendar.
bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = -1;
    const char* end = text.data() + at + digits;
    const auto [stop, error] = std::from_chars(text.data() + at, end, value);
    return error == std::errc() && stop == end ? value : -1;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  return year > 0 && month > 0 && day > 0 &&
         std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
             .ok();
}

// A list of strings that is not empty.
std::vector<std::string> strings(JsonObject& object, const char* key, const nlohmann::json& json) {
  std::vector<std::string> texts;
  if (json.is_array()) {
    for (const nlohmann::json& text : json) {
      if (text.is_string() && !text.get_ref<const std::string&>().empty()) {
        texts.push_back(text.get<std::string>());
      }
    }
  }
  if (texts.empty() || texts.size() != json.size()) {
    object.fault(key, fmt::format("expected a list of strings, none empty, got {}", json.dump()));
  }
  return texts;
}

Result<Waiver> waiver_from_json(const nlohmann::json& json, std::string place) {
  JsonObject object(json, std::move(place));
  Waiver waiver;
  const auto text = [&](const char* key, std::string& to) {
    to = object.text(key);
    if (to.empty()) object.fault(key, "expected text, got \"\"");
  };
  const auto glob = [&](const char* key, std::string& to) {
    const nlohmann::json* value = object.optional_value(key);
    if (value == nullptr) return;
    if (!value->is_string() || value->get_ref<const std::string&>().empty()) {
      object.fault(key, "expected a glob, got " + describe(*value));
      return;
    }
    to = value->get<std::string>();
  };
  waiver.cases = strings(object, "cases", object.value("cases"));
  glob("operation", waiver.operation);
  glob("path", waiver.path);
  glob("device", waiver.device);
  glob("driver", waiver.driver);
  glob("profile", waiver.profile);
  glob("fault_class", waiver.fault_class);
  if (const nlohmann::json* verdicts = object.optional_value("verdicts")) {
    waiver.verdicts.clear();
    for (const std::string& name : strings(object, "verdicts", *verdicts)) {
      const std::optional<Verdict> verdict = verdict_named(name);
      if (verdict != Verdict::mismatch && verdict != Verdict::error) {
        object.fault("verdicts", fmt::format("expected mismatch or error, got '{}'", name));
        break;
      }
      waiver.verdicts.push_back(*verdict);
    }
  }
  text("tracker", waiver.tracker);
  text("owner", waiver.owner);
  text("comment", waiver.comment);
  waiver.expires = object.text("expires");
  if (!is_day(waiver.expires)) {
    object.fault("expires",
                 fmt::format("expected a day such as 2026-12-31, got '{}'", waiver.expires));
  }
  return object.done().map([&] { return std::move(waiver); });
}

}  // namespace

Result<std::vector<Waiver>> waivers_from_json(const nlohmann::json& json, std::string_view source) {
  JsonObject object(json, std::string(source));
  object.integer("schema", 1, 1);
  const nlohmann::json& list = object.value("waivers");
  if (!list.is_array()) object.fault("waivers", "expected an array, got " + describe(list));
  if (Result<void> done = object.done(); !done) return tl::make_unexpected(done.error());
  std::vector<Waiver> waivers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Result<Waiver> waiver = waiver_from_json(list[i], fmt::format("{}: /waivers/{}", source, i));
    if (!waiver) return tl::make_unexpected(waiver.error());
    waivers.push_back(*std::move(waiver));
  }
  return waivers;
}

Result<std::vector<Waiver>> read_waivers(const std::string& path) {
  return read_json_file(path).and_then(
      [&](const nlohmann::json& json) { return waivers_from_json(json, path); });
}

}  // namespace harness
