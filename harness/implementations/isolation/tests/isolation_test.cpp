// The implementation in a child process: whatever it does to itself is an error here, with its
// reason, and a fresh child goes on.
#include "harness/implementations/isolation/isolation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "harness/fakes/fake_implementation.hpp"
#include "harness/fakes/fake_operation.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr double short_seconds = 0.5;
constexpr double long_seconds = 60;

WorkerOptions options(double seconds = long_seconds) {
  WorkerOptions options;
  options.call_timeout_seconds = seconds;
  options.open_timeout_seconds = long_seconds;
  return options;
}

nlohmann::json spec(const std::vector<std::string>& behaviours) {
  return {{"kind", "fake"}, {"device", "cpu"}, {"behaviours", behaviours}};
}

Problem problem() {
  const fakes::FakeOperation operation;
  return operation.build(operation.cases(Level::smoke, 0).front().spec)->front();
}

Outputs expected_of(const Problem& problem) {
  return *fakes::FakeOperation().expected(problem, oracle::profiles::ocp());
}

// The error of one call of `behaviour`; afterwards a fresh child answers rightly.
Error error_of(const std::string& behaviour, double seconds = long_seconds) {
  const auto source = RemoteSource::open(spec({behaviour, "right"}), options(seconds));
  if (!source) return source.error();
  const auto execution = (*source)->execute(0, problem());
  if (execution) return {ErrorCode::invalid_argument, "no error"};
  const auto next = (*source)->execute(1, problem());
  EXPECT_TRUE(next) << next.error().message;
  if (next) {
    EXPECT_EQ(next->outputs, expected_of(problem()));
  }
  return execution.error();
}

std::size_t open_descriptors() {
  const auto folder = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

TEST(IsolationTest, GivesBackWhatTheImplementationSays) {
  const auto source = RemoteSource::open(spec({"right", "writes_outside", "not_here"}), options());
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_EQ((*source)->infos().size(), 3u);
  EXPECT_EQ((*source)->infos()[0].key(), "doubling right cpu");
  EXPECT_EQ((*source)->infos()[2].unavailable, "needs a device that does not exist");
  EXPECT_EQ((*source)->facts()["name"], "cpu");

  const auto right = (*source)->execute(0, problem());
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(right->outputs, expected_of(problem()));
  EXPECT_EQ(right->seconds, 1e-6);
  EXPECT_TRUE(right->trespasses.empty());

  const auto outside = (*source)->execute(1, problem());
  ASSERT_TRUE(outside) << outside.error().message;
  ASSERT_EQ(outside->trespasses.size(), 1u);
  EXPECT_EQ(outside->trespasses[0].region, "guard after");
  EXPECT_EQ(outside->trespasses[0].byte, 80);
  EXPECT_EQ(outside->trespasses[0].count, 3u);
}

TEST(IsolationTest, CarriesEveryFieldOfAProblem) {
  // A larger problem after a smaller one: the shared memory grows.
  const auto source = RemoteSource::open(spec({"right"}), options());
  ASSERT_TRUE(source) << source.error().message;
  for (const std::size_t bytes : {1u, 70000u, 3u, 3000000u}) {
    const fakes::FakeOperation operation;
    const Problem sent = operation.build({{"bytes", bytes}, {"tail", 5}, {"calls", 1}})->front();
    const auto execution = (*source)->execute(0, sent);
    ASSERT_TRUE(execution) << execution.error().message;
    EXPECT_EQ(execution->outputs, expected_of(sent)) << bytes;
  }
}

TEST(IsolationTest, CrashIsAnErrorWithSignalAndLastWords) {
  const Error crash = error_of("crashes");
  EXPECT_EQ(crash.code, ErrorCode::device_lost);
  EXPECT_THAT(crash.message,
              MatchesRegex("killed by SIGSEGV after [0-9.]+ s; its last output: about to crash"));
  EXPECT_THAT(error_of("aborts").message, StartsWith("killed by SIGABRT after "));
}

TEST(IsolationTest, ExitIsAnErrorEvenWithStatusZero) {
  EXPECT_THAT(error_of("exits").message, StartsWith("exited with status 0 after "));
  EXPECT_THAT(error_of("leaves_a_process").message, StartsWith("exited with status 7 after "));
}

TEST(IsolationTest, HangIsAnErrorAfterItsTime) {
  const Error hang = error_of("hangs", short_seconds);
  EXPECT_EQ(hang.message, "no answer within 0.5 s");
  EXPECT_THAT(error_of("hangs_up", short_seconds).message,
              StartsWith("the connection was closed after "));
}

TEST(IsolationTest, CorruptAnswersAreErrors) {
  EXPECT_EQ(error_of("garbage").message,
            "corrupt answer: expected \"fp4cts w\", got \"Segmentation fau\"");
  EXPECT_EQ(error_of("huge_answer").message,
            "corrupt answer: expected a text of at most 16777216 bytes, got 4294967295");
  EXPECT_THAT(error_of("not_json").message, StartsWith("corrupt answer: answer: "));
  EXPECT_THAT(error_of("other_answer").message, StartsWith("corrupt answer: expected one to "));
}

TEST(IsolationTest, ErrorsOfTheImplementationAreItsOwn) {
  EXPECT_EQ(error_of("fails").message, "FAKE_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(error_of("throws").message, "threw an exception: out of luck");
  EXPECT_EQ(error_of("wrong_size").message, "output out: expected 80 bytes, got 79");
}

TEST(IsolationTest, AnswerWithoutWorkLeavesTheFill) {
  const auto source = RemoteSource::open(spec({"right", "pretends"}), options());
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_TRUE((*source)->execute(0, problem()));
  const auto execution = (*source)->execute(1, problem());
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs[0], problem().find("out")->storage);
}

TEST(IsolationTest, OutputOfTheImplementationDoesNotStopIt) {
  const auto source = RemoteSource::open(spec({"chats"}), options());
  ASSERT_TRUE(source) << source.error().message;
  const auto execution = (*source)->execute(0, problem());
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs, expected_of(problem()));
}

TEST(IsolationTest, MemoryLimitIsKept) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer's own memory is over any limit";
#endif
  constexpr std::uint64_t limit = std::uint64_t{512} << 20;
  WorkerOptions limited = options();
  limited.memory_limit_bytes = limit;
  const auto source = RemoteSource::open(spec({"eats_memory", "right"}), limited);
  ASSERT_TRUE(source) << source.error().message;
  const auto execution = (*source)->execute(0, problem());
  ASSERT_FALSE(execution);
  EXPECT_EQ(execution.error().message, "out of memory");
  EXPECT_TRUE((*source)->execute(1, problem()));
}

TEST(IsolationTest, OpeningFailsWithItsReason) {
  const auto message = [](const std::string& how, double seconds = long_seconds) {
    nlohmann::json broken = spec({"right"});
    broken["open"] = how;
    WorkerOptions patience = options();
    patience.open_timeout_seconds = seconds;
    const auto source = RemoteSource::open(broken, patience);
    return source ? "opened" : source.error().message;
  };
  EXPECT_EQ(message("fails"), "no such device");
  EXPECT_THAT(message("crashes"), StartsWith("killed by SIGBUS after "));
  EXPECT_EQ(message("hangs", short_seconds), "no answer within 0.5 s");
  const auto unknown = RemoteSource::open({{"kind", "magic"}}, options());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "no kind of implementation is named \"magic\"");
  WorkerOptions nowhere = options();
  nowhere.executable = "/nonexistent";
  const auto missing = RemoteSource::open(spec({"right"}), nowhere);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, StartsWith("exited with status 127 after "));
}

TEST(IsolationTest, InterruptionEndsAWait) {
  const std::atomic<bool> interrupted{true};
  WorkerOptions impatient = options();
  impatient.interrupted = &interrupted;
  const auto source = RemoteSource::open(spec({"right"}), impatient);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message, "interrupted");
}

TEST(IsolationTest, LeavesNoDescriptorBehind) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(error_of("exits").message, StartsWith("exited with status 0"));
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(IsolationTest, RemoteImplementationIsAnImplementation) {
  auto source = RemoteSource::open(spec({"right"}), options());
  ASSERT_TRUE(source) << source.error().message;
  RemoteImplementation implementation(*source, 0);
  EXPECT_EQ(implementation.info().path, "right");
  const auto execution = implementation.execute(problem());
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs, expected_of(problem()));
}

}  // namespace
}  // namespace harness

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) {
    return harness::serve_worker(harness::fakes::fake_kinds());
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
