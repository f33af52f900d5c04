// A program over files in a worker: right answers, and of each misbehaviour its own reason, after
// which the next call goes on and nothing is left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "harness/fakes/fake_operation.hpp"
#include "harness/files/problem_file.hpp"
#include "harness/implementations/program/program_source.hpp"

namespace harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

const fakes::FakeOperation doubling;
const std::array<const Operation*, 1> operations{&doubling};

Problem problem(int call = 0) {
  return doubling.build({{"bytes", 64}, {"tail", 16}, {"calls", call + 1}})->back();
}

Outputs expected() { return *doubling.expected(problem(), oracle::profiles::ocp()); }

std::string command(const std::string& behaviour) {
  return std::string("python3 '") + FP4CTS_DOUBLING_PROGRAM + "' " + behaviour;
}

// Leaves half an answer; a child of the shell waits.
constexpr const char* hangs =
    "sh -c 'echo waiting; echo begun >\"$2.part\"; sh -c \"sleep 1000; true\" \"$1\"; true' sh";

// Whether any process has the folder in its command line.
bool named_by_a_process(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    if (line.find(folder.string()) != std::string::npos) return true;
  }
  return false;
}

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    std::string path = fs::temp_directory_path() / "fp4cts-program-test-XXXXXX";
    folder_ = ::mkdtemp(path.data());
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~ProgramTest() override {
    ::unsetenv("TMPDIR");
    ::unsetenv(keep_files_variable);
    fs::remove_all(folder_);
  }

  static Result<std::shared_ptr<RemoteSource>> open(const std::string& text, double seconds = 60,
                                                    std::uint64_t memory_limit = 0) {
    WorkerOptions options;
    options.call_timeout_seconds = seconds;
    options.memory_limit_bytes = memory_limit;
    options.temporary_folder = true;
    return RemoteSource::open({{"kind", "program"}, {"origin", text}, {"device", "cpu"}}, options);
  }

  // The error of one call.
  static std::string error_of(const std::string& text, double seconds = 60,
                              std::uint64_t memory_limit = 0) {
    const auto source = open(text, seconds, memory_limit);
    if (!source) return source.error().message;
    const auto execution = (*source)->execute(0, problem());
    return execution ? "no error" : execution.error().message;
  }

  std::size_t left_behind() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(ProgramTest, AnswersAreItsOwn) {
  const auto source = open(command("right"));
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_EQ((*source)->infos().size(), 1u);
  const ImplementationInfo& info = (*source)->infos()[0];
  EXPECT_EQ(info.key(), "doubling doubling cpu");
  EXPECT_EQ(info.origin, command("right"));
  EXPECT_EQ(info.profile, "ocp");
  EXPECT_EQ(info.module_sha256.size(), 64u);
  for (int call = 0; call < 2; ++call) {
    const auto execution = (*source)->execute(0, problem(call));
    ASSERT_TRUE(execution) << execution.error().message;
    EXPECT_EQ(execution->outputs, *doubling.expected(problem(call), oracle::profiles::ocp()));
    EXPECT_EQ(execution->seconds, 0) << "the time of a process is not a kernel's";
  }
}

TEST_F(ProgramTest, IntroducesItselfWithoutADevice) {
  const auto source = RemoteSource::open({{"kind", "program"}, {"origin", command("right")}}, {});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_TRUE((*source)->infos().empty());
  EXPECT_EQ(
      nlohmann::json((*source)->facts()),
      nlohmann::json::parse(R"({"name": "doubling", "profile": "ocp", "device_kinds": ["cpu"]})"));
}

TEST_F(ProgramTest, PathsMayBePlaced) {
  const auto source = open(std::string("sh -c 'exec python3 \"$0\" right \"$2\" \"$1\"' '") +
                           FP4CTS_DOUBLING_PROGRAM + "' {out} {in}");
  ASSERT_TRUE(source) << source.error().message;
  const auto execution = (*source)->execute(0, problem());
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs, expected());
}

TEST_F(ProgramTest, EachMisbehaviourHasItsReason) {
  const std::string hint = " (FP4CTS_KEEP_FILES=DIR keeps its files)";
  const std::vector<std::pair<std::string, std::string>> reasons{
      {"crashes", "the program was killed by SIGSEGV" + hint + "; its last output: about to crash"},
      {"no_answer", "the program exited with status 0 and wrote no answer" + hint},
      {"wrong_dtype", "its answer: tensor \"out\": expected U8 [80], got I32 [20]" + hint},
      {"short", "its answer: tensor \"out\": expected U8 [80], got U8 [79]" + hint},
      {"extra", "its answer: tensor \"debug\": expected no such output" + hint},
      {"renamed", "its answer: expected a tensor \"out\", got none" + hint},
  };
  for (const auto& [behaviour, reason] : reasons) {
    EXPECT_EQ(error_of(command(behaviour)), reason);
  }
  EXPECT_THAT(error_of(command("raises")),
              MatchesRegex("the program exited with status 1 .*; its last output: .*"
                           "ValueError: no such layout"));
  for (const char* behaviour : {"garbage", "truncated"}) {
    EXPECT_THAT(error_of(command(behaviour)), StartsWith("its answer: ")) << behaviour;
    EXPECT_THAT(error_of(command(behaviour)), HasSubstr("expected ")) << behaviour;
  }
  EXPECT_EQ(left_behind(), 0u);
}

TEST_F(ProgramTest, OutputAndLitterDoNotMatter) {
  for (const char* behaviour : {"noise", "litters", "leaves_a_process"}) {
    const auto source = open(command(behaviour));
    ASSERT_TRUE(source) << source.error().message;
    for (int call = 0; call < 2; ++call) {
      const auto execution = (*source)->execute(0, problem());
      ASSERT_TRUE(execution) << behaviour << ": " << execution.error().message;
      EXPECT_EQ(execution->outputs, expected()) << behaviour;
    }
  }
  EXPECT_EQ(left_behind(), 0u);
}

TEST_F(ProgramTest, AHangIsEndedWithAllThatItStarted) {
  const auto source = open(hangs, 2);
  ASSERT_TRUE(source) << source.error().message;
  const auto execution = (*source)->execute(0, problem());
  ASSERT_FALSE(execution);
  EXPECT_EQ(execution.error().message, "no answer within 2 s; its last output: waiting");
  EXPECT_EQ(left_behind(), 0u) << "its files outlive it";
  for (int i = 0; i < 100 && named_by_a_process(folder_); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_FALSE(named_by_a_process(folder_));
}

TEST_F(ProgramTest, MemoryLimitIsItsToo) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer's own memory is over any limit";
#endif
  EXPECT_THAT(error_of(command("eats_memory"), 60, std::uint64_t{1} << 30),
              MatchesRegex("the program exited with status 1 .*; its last output: .*MemoryError"));
}

TEST_F(ProgramTest, OneThatStaysIsStartedOnceAndSaysWhatItIs) {
  const auto source = open(command("starts_once") + " {serve}");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->infos()[0].toolkit, "on Python");
  for (int call = 0; call < 3; ++call) {
    const auto execution = (*source)->execute(0, problem(call));
    ASSERT_TRUE(execution) << execution.error().message;
    EXPECT_EQ(execution->outputs, *doubling.expected(problem(call), oracle::profiles::ocp()));
  }
  EXPECT_FALSE(open(command("starts_once") + " {serve}")) << "its second start was not seen";
}

TEST_F(ProgramTest, OneThatStaysMaySayThatItEmulates) {
  const auto execution_of = [](const std::string& behaviour) {
    const auto source = open(command(behaviour) + " {serve}");
    EXPECT_TRUE(source) << source.error().message;
    return source ? (*source)->infos()[0].execution : Machinery::simulated;
  };
  EXPECT_EQ(execution_of("emulates"), Machinery::emulated);
  EXPECT_EQ(execution_of("right"), Machinery::native);
}

TEST_F(ProgramTest, OneThatStaysHasAReasonForEachMisbehaviourToo) {
  const std::string hint = " (FP4CTS_KEEP_FILES=DIR keeps its files)";
  const auto serving = [](const std::string& behaviour) { return command(behaviour) + " {serve}"; };
  const std::vector<std::pair<std::string, std::string>> reasons{
      {"no_device", "needs a device that is not here"},
      {"talks", "its first line: expected ready or unavailable, got \"Loading weights...\""},
      {"crashes", "the program was killed by SIGSEGV" + hint + "; its last output: about to crash"},
      {"leaves", "the program exited with status 3" + hint},
      {"refuses", "the program: cannot do it" + hint},
      {"says_done", "the program: expected ok or error, got \"done\"" + hint},
      {"no_answer", "the program said ok and wrote no answer" + hint},
      {"short", "its answer: tensor \"out\": expected U8 [80], got U8 [79]" + hint},
      {"no_seconds", "its answer: seconds: expected a number of at least 0, got \"fast\"" + hint},
  };
  for (const auto& [behaviour, reason] : reasons) {
    EXPECT_EQ(error_of(serving(behaviour)), reason) << behaviour;
  }
  EXPECT_THAT(error_of(serving("strange_trespass")), StartsWith("its answer: trespasses/0"));
  EXPECT_EQ(error_of(serving("hangs"), 2),
            "the program: expected ok or error, got \"waiting\"" + hint);
  EXPECT_EQ(error_of("sh -c 'echo ready; sleep 1000' sh {serve}", 2), "no answer within 2 s");
  EXPECT_EQ(left_behind(), 0u);
}

TEST_F(ProgramTest, AfterAFailureOneThatStaysIsStartedAnew) {
  const auto source = open(command("refuses") + " {serve}");
  ASSERT_TRUE(source) << source.error().message;
  for (int call = 0; call < 2; ++call) {
    const auto execution = (*source)->execute(0, problem());
    ASSERT_FALSE(execution);
    EXPECT_THAT(execution.error().message, StartsWith("the program: cannot do it"));
  }
}

TEST_F(ProgramTest, WhatItSawTouchedAndHowLongItTookIsPassedOn) {
  const auto source = open(command("trespasses") + " {serve}");
  ASSERT_TRUE(source) << source.error().message;
  const auto execution = (*source)->execute(0, problem());
  ASSERT_TRUE(execution) << execution.error().message;
  ASSERT_EQ(execution->trespasses.size(), 1u);
  EXPECT_EQ(execution->trespasses[0].tensor, "in");
  EXPECT_EQ(execution->trespasses[0].region, "guard after");
  EXPECT_EQ(execution->seconds, 0.5);
}

TEST_F(ProgramTest, FilesAreKeptOnRequest) {
  const fs::path kept = folder_ / "kept";
  ::setenv(keep_files_variable, kept.c_str(), 1);
  EXPECT_EQ(error_of(command("no_answer")), "the program exited with status 0 and wrote no answer");
  EXPECT_THAT(error_of(hangs, 2), StartsWith("no answer within 2 s"));
  EXPECT_EQ(error_of(command("right")), "no error");
  EXPECT_TRUE(fs::exists(kept / "0001" / "problem.safetensors"));
  EXPECT_TRUE(fs::exists(kept / "0002" / "answer.safetensors.part"));
  const auto read = read_problem_file(kept / "0003" / "problem.safetensors");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->problem.tensors[0].storage, problem().tensors[0].storage);
  EXPECT_EQ(read->facts.at("profile"), "ocp");
  EXPECT_TRUE(fs::exists(kept / "0003" / "answer.safetensors"));
}

TEST_F(ProgramTest, WhatCannotBeRunIsSaidBeforeTheFirstCall) {
  const auto message = [](const std::string& text) {
    const Status status = check_program(text);
    return status ? "no error" : status.error().message;
  };
  EXPECT_EQ(message("pyhton3 gather.py"), "pyhton3: no program of this name is on the PATH");
  EXPECT_EQ(message("./no/such/program"), "./no/such/program: no such program");
  EXPECT_EQ(message("/etc/passwd"), "/etc/passwd: is no file that may be executed");
  EXPECT_THAT(message("python3 x {in}"), HasSubstr("has {in} and not {out}"));
  EXPECT_THAT(message("python3 x {in} {serve}"), HasSubstr("has {in} beside {serve}"));
  EXPECT_THAT(message("python3 x | tee log"), HasSubstr("'|' would need one"));
  EXPECT_EQ(message("python3 x"), "no error");
  EXPECT_EQ(open("pyhton3 x").error().message, "pyhton3: no program of this name is on the PATH");
}

}  // namespace
}  // namespace harness

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) {
    return harness::serve_worker({{"program", harness::program_kind(harness::operations)}});
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
