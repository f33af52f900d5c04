// What was assembled: the machine code inside the images that this build embeds, as nvdisasm shows
// it. Where nvdisasm is absent, or nothing was assembled, these tests say so and are skipped.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/module.hpp"

namespace kernels {
namespace {

// Empty where there is none. NOLINTNEXTLINE(readability-redundant-string-init)
constexpr std::string_view nvdisasm = FP4CTS_NVDISASM;

template <class T>
T read(std::string_view bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// The size of the 64-bit ELF file at the start of `bytes`: the end of its header tables.
std::size_t elf_size(std::string_view bytes) {
  const auto end = [&](std::size_t offset_at, std::size_t size_at) {
    return read<std::uint64_t>(bytes, offset_at) +
           std::size_t{read<std::uint16_t>(bytes, size_at)} *
               read<std::uint16_t>(bytes, size_at + 2);
  };
  return std::max(end(0x20, 0x36), end(0x28, 0x3a));
}

std::string disassemble(std::string_view elf) {
  static int serial = 0;
  const auto path = std::filesystem::temp_directory_path() /
                    ("fp4cts-" + std::to_string(getpid()) + "-" + std::to_string(serial++));
  std::ofstream(path, std::ios::binary).write(elf.data(), static_cast<std::streamsize>(elf.size()));
  const std::string command =
      "'" + std::string(nvdisasm) + "' --print-code '" + path.string() + "' 2>&1";
  std::string text;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
      text.append(buffer, count);
    }
    EXPECT_EQ(pclose(pipe), 0) << command << ": " << text.substr(0, 500);
  }
  std::filesystem::remove(path);
  return text;
}

// Machine code by architecture: "sm_90" to its disassembly.
std::map<std::string, std::string> machine_code(const Image& image) {
  static const std::string magic =
      "\x7f"
      "ELF";  // NOLINT: two literals, or f joins the escape
  const std::string_view bytes(reinterpret_cast<const char*>(image.begin), image.size());
  std::map<std::string, std::string> code;
  for (std::size_t at = bytes.find(magic); at != std::string_view::npos;
       at = bytes.find(magic, at)) {
    const std::size_t size = elf_size(bytes.substr(at));
    const std::string text = disassemble(bytes.substr(at, size));
    std::smatch target;
    EXPECT_TRUE(std::regex_search(text, target, std::regex("\\.target\\s+(sm_\\w+)")))
        << image.module << ": " << text.substr(0, 200);
    code[target.str(1)] = text;
    at += size;
  }
  return code;
}

std::set<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

class CudaModules : public testing::Test {
 protected:
  // The built modules of one operation.
  static std::vector<Image> built(std::string_view operation) {
    std::vector<Image> images;
    for (const Image& image : shipped_images()) {
      const bool wanted = image.backend == Backend::cuda && image.module.starts_with(operation);
      if (wanted && image.built()) images.push_back(image);
    }
    return images;
  }

  void SetUp() override {
    if (nvdisasm.empty()) GTEST_SKIP() << "not run: no nvdisasm was found";
    if (built("").empty()) GTEST_SKIP() << "not run: no CUDA module was built";
  }
};

// The fp32 gather stands for the others: its software conversions need the most registers, and
// nvdisasm takes half a second for each architecture.
TEST_F(CudaModules, UseNoLocalMemoryOnTheArchitecturesTheyName) {
  static const std::regex local("\\b(LDL|STL)\\b");
  for (const Image& image : built("nvfp4_gather_index_k_fp32")) {
    std::set<std::string> named = words(image.architectures);
    std::erase_if(named, [](const std::string& name) { return name.starts_with("compute_"); });
    std::set<std::string> held;
    for (const auto& [architecture, text] : machine_code(image)) {
      held.insert(architecture);
      EXPECT_FALSE(std::regex_search(text, local)) << image.module << " for " << architecture;
    }
    EXPECT_EQ(held, named) << image.module;
  }
}

TEST_F(CudaModules, Qmul4PathIsTheInstruction) {
  int checked = 0;
  for (const std::string_view name : {"nvfp4_gather_index_k_qmul4", "qmul4_qmul4"}) {
    for (const Image& image : built(name)) {
      const auto code = machine_code(image);
      for (const char* architecture : {"sm_100a", "sm_103a"}) {
        ASSERT_TRUE(code.contains(architecture)) << image.module;
        EXPECT_NE(code.at(architecture).find("QMUL4.E4M3x4.E2M1x4.E4M3x4.SATFINITE"),
                  std::string::npos)
            << image.module << " for " << architecture;
      }
      ++checked;
    }
  }
  if (checked == 0) GTEST_SKIP() << "not run: no qmul4 module was built (CUDA 13.4 or newer)";
  EXPECT_EQ(checked, 2);
}

TEST(Modules, EveryEntryHasAnImageOrAReasonAgainst) {
  for (const Entry& entry : shipped_entries()) {
    const auto images = shipped_images();
    const auto image = std::ranges::find(images, entry.module, &Image::module);
    ASSERT_NE(image, images.end()) << entry.name;
    EXPECT_NE(image->built(), !image->absent_reason.empty()) << entry.name;
  }
  EXPECT_FALSE(shipped_entries().empty());
}

// gfx1030 and gfx1250 are in no emulator here, and the chips of QMUL4 were never at hand.
TEST(Modules, ArchitecturesThatWereOnlyAssembledAreNamed) {
  static const std::set<std::string> unproved = {"gfx1030", "gfx1250", "sm_100a", "sm_103a"};
  int named = 0;
  for (const Image& image : shipped_images()) {
    if (image.backend == Backend::ptx) {  // text, which an interpreter executes whatever it is for
      EXPECT_EQ(image.never_executed, "") << image.module;
      continue;
    }
    const std::set<std::string> all = words(image.architectures);
    const std::set<std::string> never = words(image.never_executed);
    EXPECT_TRUE(std::ranges::includes(all, never)) << image.module;
    for (const std::string& architecture : unproved) {
      const bool held = image.built() && all.contains(architecture);
      EXPECT_EQ(never.contains(architecture), held) << image.module << " for " << architecture;
      named += static_cast<int>(held);
    }
  }
  if (named == 0) GTEST_SKIP() << "not run: no module was built";
}

TEST(Modules, EntryNamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto entries : {shipped_entries(), faulty_entries()}) {
    for (const Entry& entry : entries) {
      EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    }
  }
}

}  // namespace
}  // namespace kernels
