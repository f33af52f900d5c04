// The faults that were shown to compute-sanitizer on an H200, and what must be said of each here.
#include <gmock/gmock.h>

#include "ptx/tests/running.hpp"

namespace ptx {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class Races : public testing::Test {
 protected:
  // Runs an entry of races.cu with 256 threads.
  Running run(const std::string& kernel, std::uint32_t threads = 256) {
    static const auto module =
        Module::load(text_of(FP4CTS_PTX_TEST_DATA "/h200/races.ptx"), "races.ptx");
    EXPECT_TRUE(module) << module.error().message;
    Running running;
    for (const Entry& entry : module->entries()) {
      if (entry.name.find(std::to_string(kernel.size()) + kernel + "PKh") == std::string::npos)
        continue;
      EXPECT_THAT(entry.lacks, IsEmpty()) << entry.lacks.front().text;
      EXPECT_TRUE(running.run(*module, entry.name, threads)) << running.error;
      return running;
    }
    ADD_FAILURE() << "no entry " << kernel;
    return running;
  }
  static void expect(const Running& running, FindingKind kind,
                     Severity severity = Severity::error) {
    const Finding* finding = running.find(kind);
    ASSERT_NE(finding, nullptr) << "nothing of " << name(kind) << "; found: " << running.findings();
    EXPECT_EQ(finding->severity, severity) << finding->message;
    EXPECT_NE(finding->actors.front().line, 0U);
    EXPECT_THAT(finding->actors.front().source, HasSubstr("races.cu:")) << finding->message;
    EXPECT_EQ(running.report.clean(), severity == Severity::note) << running.findings();
  }
};

TEST_F(Races, CopyWithoutBarrierIsSeenWithBothThreadsAndLinesEachTime) {
  for (int time = 0; time < 100; ++time) {
    const Running running = run("race_cp_async");
    expect(running, FindingKind::shared_race);
    const Finding* race = running.find(FindingKind::shared_race);
    ASSERT_EQ(race->actors.size(), 2U);
    EXPECT_NE(race->actors[0].thread, race->actors[1].thread);
    // Which of the two comes first is the order of the warps.
    EXPECT_THAT(race->actors[0].text + race->actors[1].text, HasSubstr("ld.shared"));
    EXPECT_THAT(race->actors[0].text + race->actors[1].text, HasSubstr("cp.async"));
  }
}

TEST_F(Races, StoreReadByAnotherWarpIsARace) {
  expect(run("race_plain"), FindingKind::shared_race);
}
TEST_F(Races, StoreReadByAnotherLaneIsARace) {
  expect(run("race_in_warp"), FindingKind::shared_race);
}
TEST_F(Races, WriteAfterReadIsARace) { expect(run("race_war"), FindingKind::shared_race); }

TEST_F(Races, UninitialisedSharedMemoryIsSeen) {
  expect(run("uninit_shared"), FindingKind::uninitialised_shared);
}
TEST_F(Races, CopyWithoutWaitIsSeen) {
  expect(run("cp_async_no_wait"), FindingKind::async_not_waited);
}

TEST_F(Races, OneByteBehindAnAllocationIsSeen) {
  const Running running = run("oob_one");
  expect(running, FindingKind::out_of_bounds);
  EXPECT_EQ(running.find(FindingKind::out_of_bounds)->offset, 4096);
  EXPECT_EQ(running.find(FindingKind::out_of_bounds)->count, 1U);
  EXPECT_EQ(running.find(FindingKind::out_of_bounds)->actors.front().thread[0], 255U);
}

TEST_F(Races, FarInsideAnotherAllocationIsSeen) {
  expect(run("oob_far_in_other"), FindingKind::out_of_bounds);
}
TEST_F(Races, MisalignedVectorIsSeen) { expect(run("misaligned"), FindingKind::misaligned); }
TEST_F(Races, UninitialisedGlobalMemoryIsSeen) {
  expect(run("uninit_global"), FindingKind::uninitialised_global);
}

TEST_F(Races, ABarrierThatExitedThreadsDoNotReachEnds) {
  const Running running = run("divergent_barrier");
  EXPECT_TRUE(running.report.clean()) << running.findings();
}

TEST_F(Races, TwoThreadsThatWriteOneGlobalByteAreSeen) {
  expect(run("global_race"), FindingKind::global_race);
}

TEST(Faults, WriteIntoAnInputIsSeenAtTheInstructionAndChangesNothing) {
  Running running;
  ASSERT_TRUE(running.run(kernel("st.global.b32 [%rd30+8], %r31;"))) << running.error;
  const Finding* finding = running.find(FindingKind::write_to_input);
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->message, HasSubstr("st.global.b32 [%rd30+8], %r31;"));
  EXPECT_EQ(running.in, std::vector<std::byte>(4096, std::byte{1}));
}

// Of race_same_value in races.cu nvcc leaves no store.
TEST(Faults, TheSameValueFromAllThreadsIsANote) {
  Running running;
  ASSERT_TRUE(running.run(kernel("mov.u16 %rs1, 7; mov.u32 %r1, s; st.shared.b8 [%r1], %rs1;",
                                 ".shared .align 4 .b8 s[4];"),
                          64))
      << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  const Finding* finding = running.find(FindingKind::shared_race);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::note);
}

TEST(Faults, AHangIsAVerdictWithALine) {
  Running running;
  running.launch.budget = 1000;
  ASSERT_TRUE(running.run(kernel("again: add.s32 %r31, %r31, 1;\nbra again;"))) << running.error;
  EXPECT_FALSE(running.report.completed);
  ASSERT_NE(running.find(FindingKind::budget_exhausted), nullptr);
}

TEST(Faults, ABarrierThatNobodyCanReleaseIsNamed) {
  // Warp 0 waits at barrier 1 for 64 threads, warp 1 at barrier 2.
  Running running;
  ASSERT_TRUE(running.run(
      kernel("setp.lt.u32 %p1, %r31, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;"), 64))
      << running.error;
  EXPECT_FALSE(running.report.completed);
  const Finding* finding = running.find(FindingKind::barrier_deadlock);
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->message, HasSubstr("warp 1 waits at barrier 2"));
}

TEST(Faults, ABarrierOfAPartOfAWarpIsSeen) {
  Running running;
  ASSERT_TRUE(running.run(kernel("setp.lt.u32 %p1, %r31, 16;\n@%p1 bar.sync 0;"))) << running.error;
  EXPECT_NE(running.find(FindingKind::barrier_divergence), nullptr);
}

TEST(Faults, AnUnsetRegisterIsSeenOnlyOnThePathThatDoesNotSetIt) {
  const std::string text = kernel(
      "setp.lt.u32 %p1, %r31, 4;\n@%p1 mov.u32 %r1, 7;\n"
      "mul.wide.u32 %rd1, %r31, 4; add.s64 %rd1, %rd31, %rd1;\n@%p1 st.global.b32 [%rd1], %r1;\n");
  Running running;
  ASSERT_TRUE(running.run(text)) << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  Running wrong;
  ASSERT_TRUE(wrong.run(
      kernel("setp.lt.u32 %p1, %r31, 4;\n@%p1 mov.u32 %r1, 7;\nst.global.b32 [%rd31], %r1;")));
  const Finding* finding = wrong.find(FindingKind::uninitialised_register);
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->message, HasSubstr("%r1"));
  EXPECT_EQ(finding->actors.front().thread[0], 4U);
}

TEST(Faults, ReadOnlyLoadsOfWhatTheKernelWritesAreSeen) {
  Running running;
  ASSERT_TRUE(running.run(
      kernel("mul.wide.u32 %rd1, %r31, 4; add.s64 %rd1, %rd31, %rd1; st.global.b32 [%rd1], %r31;\n"
             "ld.global.nc.b32 %r1, [%rd1];")));
  EXPECT_NE(running.find(FindingKind::read_only_path), nullptr) << running.findings();
}

TEST(Faults, VolatileAccessesOfOneByteAreNoRace) {
  const std::string text =
      "add.u64 %rd1, %rd31, 0;\nst.volatile.global.b32 [%rd1], %r31;\n"
      "ld.volatile.global.b32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 77;\n@%p1 bra L;\nL:";
  Running running;
  ASSERT_TRUE(running.run(kernel(text), 64)) << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  std::string plain = text;
  plain.erase(plain.find(".volatile", plain.find("ld.")), 9);
  Running other;
  ASSERT_TRUE(other.run(kernel(plain), 64)) << other.error;
  EXPECT_NE(other.find(FindingKind::global_race), nullptr) << other.findings();
}

TEST(Faults, VariablesOfAModuleAreKeptWhereTheLaunchKeepsThem) {
  const std::string text = kernel(
      "mov.u64 %rd1, counter;\nld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
      "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd31], %r1;",
      ".global .align 4 .u32 counter = 41;");
  std::vector<std::byte> kept;
  for (const std::uint32_t expected : {42U, 43U}) {
    Running running;
    running.launch.variables = &kept;
    ASSERT_TRUE(running.run(text, 1)) << running.error;
    EXPECT_TRUE(running.report.clean()) << running.findings();
    EXPECT_EQ(running.output<std::uint32_t>(), expected);
  }
  Running fresh;
  ASSERT_TRUE(fresh.run(text, 1)) << fresh.error;
  EXPECT_EQ(fresh.output<std::uint32_t>(), 42U);
  kept.resize(3);
  Running wrong;
  wrong.launch.variables = &kept;
  EXPECT_FALSE(wrong.run(text, 1));
  EXPECT_THAT(wrong.error, HasSubstr("expected 4 bytes of variables of the module, got 3"));
}

TEST(Faults, AParameterIsReadByItsAddressAndNoFurther) {
  // The parameters are the pointers `in` and `out`, of 8 bytes each.
  const std::string store = "\nst.global.b64 [%rd31], %rd2;";
  Running running;
  ASSERT_TRUE(running.run(kernel("mov.b64 %rd1, out; add.s64 %rd1, %rd1, 64;\n"
                                 "ld.param.u64 %rd2, [%rd1+-64];" +
                                 store),
                          1))
      << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  EXPECT_EQ(running.output<std::uint64_t>(), address_of_range(1));

  struct Wrong {
    const char* statements;
    FindingKind kind;
    const char* says;
  };
  for (const Wrong& wrong :
       {Wrong{"mov.b64 %rd1, in; ld.param.u64 %rd2, [%rd1+8];", FindingKind::out_of_bounds,
              "reads 8 bytes at offset 8 of parameter in, which has 8 bytes"},
        {"mov.b64 %rd1, out; ld.param.b8 %rd2, [%rd1+-1];", FindingKind::out_of_bounds,
         "reads 1 byte at offset -1 of parameter out, which has 8 bytes"},
        {"mov.b64 %rd1, in; ld.param.b32 %rd2, [%rd1+2];", FindingKind::misaligned,
         "reads 4 bytes at offset 2 of parameter in, no multiple of it"},
        {"ld.param.b64 %rd2, [%rd30];", FindingKind::out_of_bounds, "where none is near"},
        {"mov.b64 %rd1, in; ld.global.b64 %rd2, [%rd1];", FindingKind::out_of_bounds, "reads 8"},
        {"ld.param.b64 %rd2, [%rd1];", FindingKind::uninitialised_register, "%rd1"}}) {
    Running other;
    ASSERT_TRUE(other.run(kernel(wrong.statements + store), 1)) << other.error;
    const Finding* const finding = other.find(wrong.kind);
    ASSERT_NE(finding, nullptr) << wrong.statements << ": " << other.findings();
    EXPECT_THAT(finding->message, HasSubstr(wrong.says));
    EXPECT_FALSE(other.report.clean());
  }
}

TEST(Faults, ABarrierOfAWarpOrdersItsLanes) {
  const std::string before =
      "mov.u32 %r1, s; add.s32 %r2, %r1, %r31; cvt.u16.u32 %rs1, %r31; st.shared.b8 [%r2], %rs1;\n";
  const std::string after =
      "xor.b32 %r3, %r31, 1; add.s32 %r3, %r1, %r3; ld.shared.b8 %rs2, [%r3];\n"
      "cvt.u64.u32 %rd1, %r31; add.s64 %rd1, %rd31, %rd1; st.global.b8 [%rd1], %rs2;";
  const std::string variable = ".shared .align 4 .b8 s[32];";
  Running with;
  ASSERT_TRUE(with.run(kernel(before + "bar.warp.sync 0xffffffff;\n" + after, variable)))
      << with.error;
  EXPECT_TRUE(with.report.clean()) << with.findings();
  EXPECT_EQ(with.output<std::uint8_t>(4), 5);
  Running without;
  ASSERT_TRUE(without.run(kernel(before + after, variable)));
  EXPECT_NE(without.find(FindingKind::shared_race), nullptr);
}

TEST(Faults, CopiesOfNoBytesAreNotReadAndFillZeros) {
  Running running;
  ASSERT_TRUE(running.run(kernel(
      "mov.u32 %r1, s; shl.b32 %r2, %r31, 4; add.s32 %r1, %r1, %r2; mov.u32 %r3, 0; mov.b64 %rd1, "
      "64;\n"
      "cp.async.cg.shared.global [%r1], [%rd1], 16, "
      "%r3;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
      "ld.shared.v2.b32 {%r4, %r5}, [%r1+8]; cvt.u64.u32 %rd2, %r31; shl.b64 %rd2, %rd2, 3;\n"
      "add.s64 %rd2, %rd31, %rd2; st.global.v2.b32 [%rd2], {%r4, %r5};",
      ".shared .align 16 .b8 s[512];")))
      << running.error;
  EXPECT_TRUE(running.report.clean()) << running.findings();
  EXPECT_EQ(running.output<std::uint64_t>(3), 0U);
}

}  // namespace
}  // namespace ptx
