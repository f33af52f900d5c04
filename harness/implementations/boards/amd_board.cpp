#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "harness/implementations/boards/absent.hpp"
#include "harness/implementations/boards/board.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<std::string> first_line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return {};
  return line;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return {};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

std::string cannot_read(const fs::path& file) {
  return not_available("cannot read " + file.string());
}

Json line_or_why(const fs::path& file) {
  const std::optional<std::string> line = first_line_of(file);
  return line ? Json(*line) : Json(cannot_read(file));
}

struct Clock {
  Json now;
  Json most;
};

// "1: 1700Mhz *": a line for each step, a star at the one in use.
Clock clock_of(const fs::path& file) {
  Clock clock{cannot_read(file), cannot_read(file)};
  std::ifstream stream(file);
  std::uint64_t most = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(':');
    const auto mhz = number_in(colon == std::string::npos ? line : line.substr(colon + 1));
    if (!mhz) continue;
    if (line.find('*') != std::string::npos) clock.now = *mhz;
    most = std::max(most, *mhz);
    clock.most = most;
  }
  return clock;
}

// A file of the one hwmon folder of the board, divided.
Json sensor(const fs::path& board, const char* name, double divisor) {
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(board / "hwmon", error)) {
    const auto line = first_line_of(folder.path() / name);
    const auto number = line ? number_in(*line) : std::nullopt;
    if (number) return static_cast<double>(*number) / divisor;
  }
  return cannot_read(board / "hwmon" / "*" / name);
}

// "ue: 0" and "ce: 2" in the files of all units, since the driver was loaded.
Json errors(const fs::path& board, const std::string& which) {
  std::optional<std::uint64_t> sum;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(board / "ras", error)) {
    if (!entry.path().filename().string().ends_with("_err_count")) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!line.starts_with(which + ':')) continue;
      const auto count = number_in(line);
      if (count) sum = sum.value_or(0) + *count;
    }
  }
  return sum ? Json(*sum) : Json(cannot_read(board / "ras" / "*_err_count"));
}

}  // namespace

nlohmann::ordered_json amd_board(const fs::path& root, const std::string& pci) {
  const fs::path board = root / "sys/bus/pci/devices" / pci;
  const Clock shader = clock_of(board / "pp_dpm_sclk");
  const Clock memory = clock_of(board / "pp_dpm_mclk");
  std::error_code error;
  return {{"vbios", line_or_why(board / "vbios_version")},
          {"clocks_mhz",
           {{"sm", shader.now},
            {"memory", memory.now},
            {"max_sm", shader.most},
            {"max_memory", memory.most}}},
          {"throttle_reasons",
           not_available("amdgpu states them in gpu_metrics, whose form differs by board")},
          {"power_limit_watts", sensor(board, "power1_cap", 1e6)},
          {"temperature_celsius", sensor(board, "temp1_input", 1e3)},
          {"compute_mode", nullptr},
          {"mig", nullptr},
          {"partition",
           {{"compute", line_or_why(board / "current_compute_partition")},
            {"memory", line_or_why(board / "current_memory_partition")}}},
          {"ecc",
           {{"mode", fs::is_directory(board / "ras", error) ? Json("enabled")
                                                            : Json(cannot_read(board / "ras"))},
            {"corrected", errors(board, "ce")},
            {"uncorrected", errors(board, "ue")}}}};
}

std::string amd_driver_number(const fs::path& root) {
  if (const auto version = first_line_of(root / "sys/module/amdgpu/version")) return *version;
  const auto kernel = first_line_of(root / "proc/sys/kernel/osrelease");
  return kernel ? "of Linux " + *kernel : "unknown";
}

}  // namespace harness
