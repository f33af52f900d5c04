// Which image runs where, and what is said where none does.
#include "harness/implementations/devices/architecture.hpp"

#include <gtest/gtest.h>

namespace harness {
namespace {

constexpr unsigned char bytes[1] = {};
constexpr Version driver_13_0{13, 0};

kernels::Image image(std::string_view architectures, std::string_view toolkit = "nvcc 13.0.88") {
  return {.module = "m",
          .backend = kernels::Backend::cuda,
          .architectures = architectures,
          .toolkit = toolkit,
          .begin = std::begin(bytes),
          .end = std::end(bytes),
          .absent_reason = ""};
}

std::string on(std::string_view architectures, Version capability) {
  const kernels::Image i = image(architectures);
  return why_not_on_cuda(&i, "cuda:0", capability, driver_13_0);
}

TEST(ArchitectureTest, MachineCodeRunsOnItsMajorFromItsMinorOn) {
  EXPECT_EQ(on("sm_80", {8, 0}), "");
  EXPECT_EQ(on("sm_80", {8, 9}), "");
  EXPECT_EQ(on("sm_80 sm_90", {9, 0}), "");
  EXPECT_EQ(on("sm_120", {12, 1}), "");
  EXPECT_NE(on("sm_89", {8, 6}), "");
  EXPECT_NE(on("sm_80", {7, 5}), "");
  EXPECT_NE(on("sm_80", {9, 0}), "");
}

TEST(ArchitectureTest, AnAChipIsThatChipAlone) {
  EXPECT_EQ(on("sm_100a sm_103a", {10, 0}), "");
  EXPECT_EQ(on("sm_100a sm_103a", {10, 3}), "");
  EXPECT_EQ(on("sm_100a sm_103a", {9, 0}),
            "needs compute capability 10.0 or 10.3 (sm_100a, sm_103a); cuda:0 has 9.0");
  EXPECT_EQ(on("sm_100a", {10, 3}), "needs compute capability 10.0 (sm_100a); cuda:0 has 10.3");
}

TEST(ArchitectureTest, AFamilyIsItsMajorFromItsMinorOn) {
  EXPECT_EQ(on("sm_100f", {10, 3}), "");
  EXPECT_NE(on("sm_100f", {11, 0}), "");
  EXPECT_NE(on("sm_103f", {10, 0}), "");
}

TEST(ArchitectureTest, ANewerChipThanAnyImageHasNone) {
  EXPECT_EQ(on("sm_80 sm_90 sm_100a", {12, 1}),
            "no image for compute capability 12.1 of cuda:0: the module holds sm_80, sm_90, "
            "sm_100a");
}

TEST(ArchitectureTest, PtxServesLaterChipsUnderADriverAsNewAsTheToolkit) {
  kernels::Image i = image("sm_80 compute_90", "nvcc 13.0.88");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {12, 1}, {13, 0}), "");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {8, 9}, {12, 0}), "");  // by machine code
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {7, 5}, {13, 0}),
            "no image for compute capability 7.5 of cuda:0: the module holds sm_80, compute_90");
  i.toolkit = "nvcc 13.5.37";
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {12, 1}, {13, 5}), "");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {12, 1}, {13, 0}),
            "only PTX fits compute capability 12.1, and it needs a driver of CUDA 13.5 or newer; "
            "cuda:0 has CUDA 13.0");
}

// PTX ISA, "Release History".
TEST(ArchitectureTest, PtxNeedsTheDriverOfTheVersionThatItStates) {
  const auto needs = [](const std::string& text) {
    kernels::Image i = image("compute_90", "nvcc 13.5.37");
    i.begin = reinterpret_cast<const unsigned char*>(text.data());
    i.end = i.begin + text.size();
    return ptx_release(i);
  };
  EXPECT_EQ(needs("//\n.version 9.5\n.target sm_90\n"), (Version{13, 5}));
  EXPECT_EQ(needs("\x50\xed\n.version 9.0\n"), (Version{13, 0}));
  EXPECT_EQ(needs(".version 8.7\n"), (Version{12, 8}));
  EXPECT_EQ(needs(".version 8.5\n"), (Version{12, 5}));
  EXPECT_EQ(needs(".version 8.0\n"), (Version{12, 0}));
  EXPECT_EQ(needs(".version 7.8\n"), (Version{11, 8}));
  EXPECT_EQ(needs("machine code alone"), (Version{13, 5}));

  const std::string text = ".version 8.0\n.target sm_90\n";
  kernels::Image i = image("sm_80 compute_90", "nvcc 13.5.37");
  i.begin = reinterpret_cast<const unsigned char*>(text.data());
  i.end = i.begin + text.size();
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {12, 1}, {13, 0}), "");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {12, 1}, {11, 8}),
            "only PTX fits compute capability 12.1, and it needs a driver of CUDA 12.0 or newer; "
            "cuda:0 has CUDA 11.8");
}

TEST(ArchitectureTest, ForcedPtxLeavesMachineCodeAside) {
  kernels::Image i = image("sm_90 compute_90", "nvcc 13.0.88");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {9, 0}, {13, 0}, true), "");
  i.architectures = "sm_100a sm_103a";
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {10, 0}, {13, 0}, true),
            "CUDA_FORCE_PTX_JIT is set, and no PTX fits compute capability 10.0 of cuda:0: the "
            "module holds sm_100a, sm_103a");
}

// Which of the two is missing, the GPU or the compiler, or both (docs/design.md section 3.2).
TEST(ArchitectureTest, SaysWhichOfGpuAndCompilerIsMissing) {
  kernels::Image i = image("sm_100a sm_103a");
  i.begin = i.end = nullptr;
  i.absent_reason = "needs CUDA 13.4 or newer to assemble; built with 13.0.88";
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {10, 0}, driver_13_0),
            "not built: needs CUDA 13.4 or newer to assemble; built with 13.0.88");
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {9, 0}, driver_13_0),
            "needs compute capability 10.0 or 10.3 (sm_100a, sm_103a); cuda:0 has 9.0; "
            "not built: needs CUDA 13.4 or newer to assemble; built with 13.0.88");
  i.architectures = "";
  EXPECT_EQ(why_not_on_cuda(&i, "cuda:0", {9, 0}, driver_13_0),
            "not built: needs CUDA 13.4 or newer to assemble; built with 13.0.88");
  EXPECT_EQ(why_not_on_cuda(nullptr, "cuda:0", {9, 0}, driver_13_0), "has no CUDA form");
}

TEST(ArchitectureTest, ACodeObjectIsForOneProcessor) {
  const kernels::Image i = image("gfx90a gfx1030", "hipcc 5.2.0");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx90a:sramecc+:xnack-"), "");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx1030"), "");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx942:sramecc+:xnack-"),
            "no image for gfx942 of hip:0: the module holds gfx90a, gfx1030");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx90"),
            "no image for gfx90 of hip:0: the module holds gfx90a, gfx1030");
  EXPECT_EQ(why_not_on_hip(nullptr, "hip:0", "gfx90a"), "has no HIP form");
}

TEST(ArchitectureTest, AGenericTargetIsItsFamily) {
  const kernels::Image i = image("gfx942 gfx9-4-generic gfx11-generic", "clang 22.1.8");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx942:sramecc+:xnack-"), "");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx950:sramecc+:xnack-"), "");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx1103"), "");
  EXPECT_EQ(why_not_on_hip(&i, "hip:0", "gfx90a"),
            "no image for gfx90a of hip:0: the module holds gfx942, gfx9-4-generic, gfx11-generic");
  EXPECT_EQ(
      why_not_on_hip(&i, "hip:0", "gfx1200"),
      "no image for gfx1200 of hip:0: the module holds gfx942, gfx9-4-generic, gfx11-generic");
}

TEST(ArchitectureTest, ReadsTheToolkitsRelease) {
  EXPECT_EQ(toolkit_version("nvcc 13.5.37"), (Version{13, 5}));
  EXPECT_EQ(toolkit_version("nvcc 13.10"), (Version{13, 10}));
  EXPECT_EQ(toolkit_version(""), Version{});
  EXPECT_EQ(toolkit_version("nvcc"), Version{});
}

}  // namespace
}  // namespace harness
