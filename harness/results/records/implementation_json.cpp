// Implementations and devices as JSON: in a result's header, and between the runner and a worker.
#include "harness/results/records/record_reader.hpp"
#include "harness/results/records/results.hpp"

namespace harness {

nlohmann::ordered_json to_json(const ImplementationInfo& info) {
  return {{"operation", info.operation},
          {"path", info.path},
          {"device", info.device},
          {"origin", info.origin},
          {"profile", info.profile},
          {"module_sha256", info.module_sha256},
          {"toolkit", info.toolkit},
          {"unavailable", info.unavailable},
          {"execution", name_of(info.execution)}};
}

Result<ImplementationInfo> implementation_info_from_json(const nlohmann::json& json,
                                                         std::string_view place) {
  RecordReader reader(json, place);
  ImplementationInfo info;
  info.operation = reader.text("operation");
  info.path = reader.text("path");
  info.device = reader.text("device");
  info.origin = reader.text("origin");
  info.profile = reader.text("profile");
  info.module_sha256 = reader.text("module_sha256");
  info.toolkit = reader.text("toolkit");
  info.unavailable = reader.text("unavailable");
  info.execution = reader.named("execution", machinery_named, "native, emulated, simulated");
  return reader.finish(std::move(info));
}

nlohmann::ordered_json to_json(const DeviceInfo& info) {
  return {{"name", info.name},
          {"description", info.description},
          {"architecture", info.architecture},
          {"memory_bytes", info.memory_bytes},
          {"facts", info.facts.is_object() ? info.facts : nlohmann::ordered_json::object()}};
}

Result<DeviceInfo> device_info_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  DeviceInfo info;
  info.name = reader.text("name");
  info.description = reader.text("description");
  info.architecture = reader.text("architecture");
  info.memory_bytes = reader.count("memory_bytes");
  info.facts = reader.object("facts");
  return reader.finish(std::move(info));
}

nlohmann::ordered_json to_json(const Trespass& trespass) {
  return {{"tensor", trespass.tensor},
          {"region", trespass.region},
          {"byte", trespass.byte},
          {"expected", hex_bits(trespass.expected)},
          {"actual", hex_bits(trespass.actual)},
          {"count", trespass.count}};
}

Result<Trespass> trespass_from_json(const nlohmann::json& json, std::string_view place) {
  RecordReader reader(json, place);
  Trespass trespass;
  trespass.tensor = reader.text("tensor");
  trespass.region = reader.text("region");
  trespass.byte = reader.integer("byte", INT64_MIN, INT64_MAX);
  trespass.expected = static_cast<std::uint8_t>(reader.bits("expected", 0xff));
  trespass.actual = static_cast<std::uint8_t>(reader.bits("actual", 0xff));
  trespass.count = reader.count("count");
  return reader.finish(std::move(trespass));
}

}  // namespace harness
