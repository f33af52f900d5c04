// What is not executed is refused with its line and text, before anything runs.
#include <gmock/gmock.h>

#include "ptx/tests/running.hpp"

namespace ptx {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Lack only_lack(const std::string& statements) {
  const auto module = Module::load(kernel(statements), "test.ptx");
  EXPECT_TRUE(module) << module.error().message;
  if (!module || module->entries()[0].lacks.size() != 1) {
    ADD_FAILURE() << statements << ": lacks " << (module ? module->entries()[0].lacks.size() : 0);
    return {};
  }
  return module->entries()[0].lacks[0];
}

TEST(Refusals, FormsThatAreNotInTheTableAreNamed) {
  for (const std::string text :
       {"ex2.approx.f32 %r1, %r2;", "atom.global.add.u32 %r1, [%rd30], 1;",
        "ld.acquire.gpu.global.b32 %r1, [%rd30];",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};",
        "add.f64 %rd1, %rd2, %rd3;", "prmt.b32.f5e %r1, %r2, %r3, %r4;", "membar.gl;",
        "mul.rn.satfinite.relu.e4m3x4.e2m1x4.e4m3x4 %r1, %rs1, %r2;",
        "cvt.rn.satfinite.e4m3x2.f32.x %rs1, %r1, %r2;",
        "ld.global.nc.L1::later.b32 %r1, [%rd30];"}) {
    const Lack lack = only_lack(text);
    EXPECT_EQ(lack.line, 9U) << text;
    EXPECT_EQ(lack.text, text);
    EXPECT_FALSE(lack.reason.empty());
  }
}

TEST(Refusals, OperandsOfTheWrongWidthAreNamed) {
  EXPECT_THAT(only_lack("add.s32 %r1, %rd2, %r3;").reason, HasSubstr("%rd2 has 64 bits"));
  EXPECT_THAT(only_lack("add.s32 %r1, %r2;").reason, HasSubstr("missing"));
  EXPECT_THAT(only_lack("and.b16 %rs1, %rs2, 65536;").reason, HasSubstr("does not fit"));
  EXPECT_THAT(only_lack("bra nowhere;").reason, HasSubstr("no label nowhere"));
  EXPECT_THAT(only_lack("ld.param.b64 %rd1, [in+8];").reason,
              HasSubstr("parameter in, which has 8"));
  EXPECT_THAT(only_lack("mov.u32 %r1, in;").reason, HasSubstr("address of in does not fit"));
  EXPECT_THAT(only_lack("ld.global.b64 %rd1, [in];").reason, HasSubstr("no register"));
  EXPECT_THAT(only_lack("ld.param.b64 %rd1, [64];").reason,
              HasSubstr("by an address in a register"));
  EXPECT_THAT(only_lack("add.f32 %r1, %r2, 3;").reason, HasSubstr("0f"));
  EXPECT_THAT(only_lack("mov.b32 %r1, {%rs1, _};").reason, HasSubstr("undefined"));
  EXPECT_THAT(only_lack("add.s32 %r1, %r2, %r99;").reason, HasSubstr("%r99 is no register"));
}

TEST(Refusals, ALaunchOfWhatIsLackingStartsNothing) {
  Running running;
  EXPECT_FALSE(running.run(kernel("st.global.b32 [%rd31], %r31;\nmembar.gl;")));
  EXPECT_THAT(running.error, HasSubstr("membar.gl;"));
  EXPECT_EQ(running.out, std::vector<std::byte>(4096));
}

TEST(Refusals, TextThatCannotBeReadNamesItsLine) {
  for (const auto& [text, line, what] :
       {std::tuple{".version 9.5\n.target sm_90\nhello", 3U, "directive"},
        {".version 9.5\n.visible .entry k() {\n ret\n}", 4U, "expected an operand"},
        {".version 9.5\n.visible .entry k() {\n ret;\n", 4U, "'}'"},
        {".version 9.5\n.visible .entry k() {\n @%p1 ret;\n}", 3U, "predicate"},
        {"", 1U, ".version"},
        {".version 9.5\n.global .b8 t[2] = {1, 2, 3};", 2U, "initial values"},
        {".version 9.5\n\"", 2U, "not closed"}}) {
    const auto module = Module::load(text, "bad.ptx");
    ASSERT_FALSE(module) << text;
    EXPECT_EQ(module.error().line, line) << module.error().message;
    EXPECT_THAT(module.error().message, HasSubstr("bad.ptx:" + std::to_string(line)));
    EXPECT_THAT(module.error().message, HasSubstr(what));
  }
}

TEST(Refusals, LaunchesThatContradictTheEntryAreErrors) {
  Running running;
  EXPECT_FALSE(running.run(kernel("ret;"), 2048));
  EXPECT_THAT(running.error, HasSubstr("2048x1x1 threads"));
  const auto module = Module::load(
      ".version 9.5\n.target sm_90\n.visible .entry k(.param .u64 a, .param .u64 b)\n.reqntid "
      "64\n{\nret;\n}");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_FALSE(running.run(*module));
  EXPECT_THAT(running.error, HasSubstr("expected a block of 64x1x1 threads"));
}

TEST(Refusals, ThePackedFamilyIsWhatTheAssemblerTakes) {
  const std::vector<std::string> forms = accepted_forms();
  std::size_t products = 0;
  for (const std::string& form : forms) {
    products +=
        form.starts_with("mul.rn.satfinite.e") && form.find("x4.") != std::string::npos ? 1U : 0U;
  }
  EXPECT_EQ(products, 98U);
}

}  // namespace
}  // namespace ptx
