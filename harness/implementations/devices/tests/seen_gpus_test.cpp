// A machine that shows a GPU, as a tree of the files in which it does.
#include "harness/implementations/devices/seen_gpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace harness {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SeenGpusTest : public ::testing::Test {
 protected:
  SeenGpusTest()
      : root_(fs::path(::testing::TempDir()) / ("fp4cts_seen_gpus_" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~SeenGpusTest() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  void put_pci(const std::string& slot, const std::string& vendor, const std::string& pci_class) {
    const std::string folder = "sys/bus/pci/devices/" + slot + '/';
    put(folder + "vendor", vendor);
    put(folder + "device", "0x2335");
    put(folder + "class", pci_class);
  }
  std::vector<std::string> seen() const {
    std::vector<std::string> texts;
    for (const SeenGpu& gpu : seen_gpus(root_)) texts.push_back(gpu.kind + ": " + gpu.what);
    return texts;
  }

  fs::path root_;
};

TEST_F(SeenGpusTest, AMachineWithoutOneShowsNone) {
  put_pci("0000:00:02.0", "0x8086", "0x030000");  // another vendor's
  put_pci("0000:00:1f.0", "0x10de", "0x068000");  // NVIDIA's, a bridge
  put("dev/nvidiactl", "");
  EXPECT_THAT(seen(), IsEmpty());
}

TEST_F(SeenGpusTest, PciShowsItWithoutADriver) {
  put_pci("0000:3b:00.0", "0x10de", "0x030200");
  put_pci("0000:63:00.0", "0x1002", "0x120000");
  EXPECT_THAT(seen(), ElementsAre("cuda: NVIDIA 10de:2335 at PCI 0000:3b:00.0",
                                  "hip: AMD 1002:2335 at PCI 0000:63:00.0"));
}

TEST_F(SeenGpusTest, DeviceNodesShowItWithoutPci) {
  put("dev/nvidia0", "");
  put("dev/nvidia-uvm", "");
  put("dev/kfd", "");
  EXPECT_THAT(seen(), ElementsAre("cuda: /dev/nvidia0", "hip: /dev/kfd"));
}

TEST_F(SeenGpusTest, DriversShowItWithoutNodes) {
  put("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: NVIDIA H200");
  put("sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0");  // a processor
  put("sys/class/kfd/kfd/topology/nodes/1/gpu_id", "51234");
  EXPECT_THAT(seen(), ElementsAre("cuda: NVIDIA at PCI 0000:3b:00.0", "hip: AMD KFD node 51234"));
}

}  // namespace
}  // namespace harness
