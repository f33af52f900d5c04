// Faults that users of other engines reported, each with the answer that hardware gives.
#include <gmock/gmock.h>

#include "ptx/tests/running.hpp"

namespace ptx {
namespace {

// What one thread's %r1 (or %rd1) is after these statements; inputs are words of 64 bits.
std::uint64_t result(const std::string& statements, std::vector<std::uint64_t> inputs = {},
                     bool wide = false) {
  Running running;
  std::string text;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    running.input(i, inputs[i]);
    text += "ld.global.b32 %r" + std::to_string(10 + i) + ", [%rd30+" + std::to_string(8 * i) +
            "];\n" + "ld.global.b64 %rd" + std::to_string(10 + i) + ", [%rd30+" +
            std::to_string(8 * i) + "];\n";
  }
  text += statements + (wide ? "\nst.global.b64 [%rd31], %rd1;"
                             : "\ncvt.u64.u32 %rd1, %r1; st.global.b64 [%rd31], %rd1;");
  EXPECT_TRUE(running.run(kernel(text), 1)) << running.error;
  EXPECT_TRUE(running.report.clean()) << statements << ": " << running.findings();
  return running.output<std::uint64_t>();
}

// GPGPU-Sim #343
TEST(Reported, SelpTakesANegatedPredicate) {
  EXPECT_EQ(result("setp.eq.b32 %p1, %r31, 0; selp.b32 %r1, 3, 4, !%p1;"), 4U);
  EXPECT_EQ(result("setp.ne.b32 %p1, %r31, 0; selp.b32 %r1, 3, 4, !%p1;"), 3U);
}
TEST(Reported, BitFieldsBehindTheRegisterAreSignOrZero) {
  EXPECT_EQ(result("bfe.s32 %r1, %r10, 40, 8;", {0x8000'0000}), 0xffff'ffffU);
  EXPECT_EQ(result("bfe.u32 %r1, %r10, 40, 8;", {0x8000'0000}), 0U);
  EXPECT_EQ(result("bfe.s32 %r1, %r10, 0, 0;", {0xffff'ffff}), 0U);
}
TEST(Reported, RoundingModesRoundAndDoNotLeak) {  // and ZLUDA #661
  EXPECT_EQ(result("add.rm.f32 %r1, %r10, %r11;", {0x3f80'0000, 0xa000'0000}), 0x3f7f'ffffU);
  EXPECT_EQ(
      result("add.rp.f32 %r2, %r10, %r11; add.f32 %r1, %r10, %r11;", {0x3f80'0000, 0x3300'0000}),
      0x3f80'0000U);
  EXPECT_EQ(result("cvt.rz.f32.s32 %r1, %r10;", {0x7fff'ffff}), 0x4eff'ffffU);
}
TEST(Reported, SumsOfSixtyFourBitsHaveAllBits) {
  EXPECT_EQ(result("add.u64 %rd1, %rd10, %rd11;", {0xffff'ffff, 1}, true), 0x1'0000'0000U);
}
// GPGPU-Sim #164
TEST(Reported, MadHiAddsBehindTheShift) {
  EXPECT_EQ(result("mad.hi.u32 %r1, %r10, %r11, %r12;", {0x8000'0000, 2, 5}), 6U);
  EXPECT_EQ(result("mad.hi.s32 %r1, %r10, %r11, %r12;", {0xffff'ffff, 1, 0}), 0xffff'ffffU);
}
// GPGPU-Sim #103
TEST(Reported, CarriesGoOn) {
  EXPECT_EQ(result("add.cc.u32 %r2, %r10, %r11; addc.u32 %r1, %r12, 0;", {0xffff'ffff, 1, 7}), 8U);
  EXPECT_EQ(result("sub.cc.u32 %r2, %r10, %r11; subc.u32 %r1, %r12, 0;", {0, 1, 7}), 6U);
}
// GPGPU-Sim #230
TEST(Reported, ShufflesBehindADivergentBranchHaveAllLanes) {
  Running running;
  ASSERT_TRUE(running.run(kernel(
      "and.b32 %r1, %r31, 1; setp.eq.b32 %p1, %r1, 0; mov.u32 %r2, 100;\n@%p1 bra EVEN;\nadd.s32 "
      "%r2, %r2, 7;\nbra JOIN;\n"
      "EVEN: add.s32 %r2, %r2, %r31;\nJOIN: shfl.sync.bfly.b32 %r3|%p2, %r2, 1, 31, 0xffffffff;\n"
      "mul.wide.u32 %rd1, %r31, 4; add.s64 %rd1, %rd31, %rd1; st.global.b32 [%rd1], %r3;")))
      << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  EXPECT_EQ(running.output<std::uint32_t>(4), 107U);
  EXPECT_EQ(running.output<std::uint32_t>(5), 104U);
}
// ZLUDA #335: tininess is judged before rounding
TEST(Reported, FlushedResultsAreZeroOfTheirSign) {
  EXPECT_EQ(result("mul.ftz.f32 %r1, %r10, %r11;", {0x8080'0000, 0x3f7f'ffff}), 0x8000'0000U);
  EXPECT_EQ(result("add.ftz.f32 %r1, %r10, %r11;", {0x8000'0001, 0x8000'0000}), 0x8000'0000U);
}
// ZLUDA #644
TEST(Reported, ClzOfSixtyFourBitsGivesThirtyTwo) {
  EXPECT_EQ(result("clz.b64 %r1, %rd10;", {1}), 63U);
  EXPECT_EQ(result("clz.b64 %r1, %rd10;", {0}), 64U);
}
// ZLUDA #661
TEST(Reported, MinAndMaxKnowNaNAndZeros) {
  EXPECT_EQ(result("min.f32 %r1, %r10, %r11;", {0x7fc0'0000, 0x3f80'0000}), 0x3f80'0000U);
  EXPECT_EQ(result("min.NaN.f32 %r1, %r10, %r11;", {0xffc0'0001, 0x3f80'0000}), 0x7fff'ffffU);
  EXPECT_EQ(result("max.f32 %r1, %r10, %r11;", {0x8000'0000, 0}), 0U);
  EXPECT_EQ(result("min.f32 %r1, %r10, %r11;", {0, 0x8000'0000}), 0x8000'0000U);
}
// lshqqytiger/ZLUDA #79, tinygrad/gpuocelot #11
TEST(Reported, DirectivesOfTritonAreRead) {
  const auto module = Module::load(
      ".version 8.7\n.target sm_90a, debug\n.address_size 64\n"
      ".visible .entry k(.param .u64 .ptr .global .align 1 a,\n .param .align 8 .b8 "
      "s[24])\n.reqntid 128, 1, 1\n"
      ".minnctapersm 2\n{\n.pragma \"nounroll\";\n.loc 1 5 3, function_name $L__info, inlined_at 1 "
      "7 1\n"
      "barrier.sync 0;\nret;\n}\n.file 1 \"kernel.py\", 123, 45\n"
      ".section .debug_str { .b8 116, 0\n $L__info:\n .b8 1 }\n");
  ASSERT_TRUE(module) << module.error().message;
  const Entry& entry = module->entries()[0];
  EXPECT_TRUE(entry.lacks.empty());
  EXPECT_EQ(entry.required_threads, (std::array<std::uint32_t, 3>{128, 1, 1}));
  ASSERT_EQ(entry.parameters.size(), 2U);
  EXPECT_TRUE(entry.parameters[0].pointer);
  EXPECT_EQ(entry.parameters[0].alignment, 8U);
  EXPECT_EQ(entry.parameter_bytes, 32U);
}
TEST(Reported, BitFieldsAreInsertedFromImmediates) {
  EXPECT_EQ(result("bfi.b32 %r1, 5, %r10, 8, 4;", {0xffff'ffff}), 0xffff'f5ffU);
}
// cuda-metal #150
TEST(Reported, APredicateThatDoesNotHoldKeepsTheDestination) {
  EXPECT_EQ(result("mov.u32 %r1, 9; setp.ne.b32 %p1, %r31, 0; @%p1 add.s32 %r1, %r1, 1; @!%p1 "
                   "add.s32 %r1, %r1, 2;"),
            11U);
}
// cuda-metal #48
TEST(Reported, ConversionsTakeLowBitsAndExtendByTheirSource) {
  EXPECT_EQ(result("cvt.s32.s8 %r1, %r10;", {0x1ff}), 0xffff'ffffU);
  EXPECT_EQ(result("cvt.u32.u8 %r1, %r10;", {0x1ff}), 0xffU);
  EXPECT_EQ(result("cvt.s8.s32 %r1, %r10;", {0x80}), 0xffff'ff80U);
}
// cuda-metal #54
TEST(Reported, EverySelectorOfPrmtIsRight) {
  const auto module = Module::load(
      ".version 9.5\n.target sm_90\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg "
      ".b32 %r<9>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r3, %r1, "
      "1024, %r2;\n"
      "mov.b32 %r4, 0x83726150; mov.b32 %r5, 0xc7f6a504; prmt.b32 %r6, %r4, %r5, %r3;\n"
      "mul.wide.u32 %rd2, %r3, 4; add.s64 %rd2, %rd1, %rd2; st.global.b32 [%rd2], %r6; ret;\n}");
  ASSERT_TRUE(module) << module.error().message;
  Running running;
  running.out.resize(std::size_t{65536} * 4);
  ASSERT_TRUE(running.run(*module, "k", 1024, 64)) << running.error;
  const std::uint8_t bytes[8] = {0x50, 0x61, 0x72, 0x83, 0x04, 0xa5, 0xf6, 0xc7};
  for (std::uint32_t selector = 0; selector < 65536; ++selector) {
    std::uint32_t expected = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned nibble = selector >> (4 * i) & 15U;
      const std::uint8_t byte = bytes[nibble & 7U];
      expected |= (nibble < 8 ? byte : byte >= 0x80 ? 0xffU : 0U) << (8 * i);
    }
    ASSERT_EQ(running.output<std::uint32_t>(selector), expected) << std::hex << selector;
  }
}
// accel-sim #298
TEST(Reported, FunnelShiftsWrapOrClamp) {
  EXPECT_EQ(result("shf.l.wrap.b32 %r1, %r10, %r11, 33;", {0x8000'0001, 1}), 3U);
  EXPECT_EQ(result("shf.l.clamp.b32 %r1, %r10, %r11, 33;", {0x8000'0001, 1}), 0x8000'0001U);
  EXPECT_EQ(result("shf.r.clamp.b32 %r1, %r10, %r11, 40;", {0x8000'0001, 7}), 7U);
}
// CUDAnative.jl #4
TEST(Reported, SeveralExitsOfAWarpAreFine) {
  Running running;
  ASSERT_TRUE(running.run(kernel(
      "setp.lt.u32 %p1, %r31, 8;\n@%p1 ret;\nsetp.gt.u32 %p2, %r31, 20;\n@%p2 exit;\n"
      "mul.wide.u32 %rd1, %r31, 4; add.s64 %rd1, %rd31, %rd1; st.global.b32 [%rd1], %r31;")));
  EXPECT_TRUE(running.report.clean()) << running.findings();
  EXPECT_EQ(running.output<std::uint32_t>(7), 0U);
  EXPECT_EQ(running.output<std::uint32_t>(20), 20U);
  EXPECT_EQ(running.output<std::uint32_t>(21), 0U);
}
// triton #10569
TEST(Reported, AbsAndNegOfNaNAreCanonical) {
  EXPECT_EQ(result("abs.f32 %r1, %r10;", {0xffc1'2345}), 0x7fff'ffffU);
  EXPECT_EQ(result("neg.f32 %r1, %r10;", {0x7fc1'2345}), 0x7fff'ffffU);
}
// FlashGPU-Sim #33
TEST(Reported, ASinkOfAStoreWritesNothing) {
  Running running;
  running.out.assign(4096, std::byte{0xee});
  ASSERT_TRUE(running.run(kernel("st.global.v2.b32 [%rd31], {_, %r31};"), 1)) << running.error;
  EXPECT_EQ(running.output<std::uint64_t>(), 0x0000'0000'eeee'eeeeU);
}
// ZLUDA #12
TEST(Reported, ThreadIndicesWidenWithoutRubbish) {
  EXPECT_EQ(result("mov.u32 %r2, %ntid.y; cvt.u64.u32 %rd1, %r2;", {}, true), 1U);
}

}  // namespace
}  // namespace ptx
