// Kernels as implementations: guards, trespasses, edges, misalignment, biased bases, reuse.
#include "harness/implementations/kernel/kernel_implementation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "harness/implementations/devices/guarded_buffers.hpp"
// Last: it defines the words of CUDA as macros.
#include "harness/implementations/devices/tests/host_kernels.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using namespace harness::testing;

// One kernel of the copy operation, on cpu.
class KernelImplementationTest : public ::testing::Test {
 protected:
  Implementation& implementation(void (*host)(const void*)) {
    entries_[0] = host_entry("copy_test", host);
    auto made = builtin_implementations(*device_, operations_, {entries_, {}});
    EXPECT_TRUE(made) << made.error().message;
    implementations_ = std::move(*made);
    return *implementations_.at(0);
  }

  static Execution run(Implementation& implementation, const Problem& problem) {
    Result<Execution> execution = implementation.execute(problem);
    EXPECT_TRUE(execution) << execution.error().message;
    return execution ? std::move(*execution) : Execution{};
  }

  static std::string failure(Implementation& implementation, const Problem& problem) {
    const Result<Execution> execution = implementation.execute(problem);
    EXPECT_FALSE(execution);
    return execution ? "" : execution.error().message;
  }

  std::unique_ptr<Device> device_ = std::move(open_device("cpu").value());
  CopyOperation copy_;
  std::array<const Operation*, 1> operations_{&copy_};
  std::array<kernels::Entry, 1> entries_;
  std::vector<std::unique_ptr<Implementation>> implementations_;
};

TEST_F(KernelImplementationTest, GivesTheBytesBack) {
  for (const std::size_t bytes : {1U, 31U, 32U, 256U, 9216U, 100000U}) {
    const Problem problem = copy_problem(bytes, 3);
    const Execution execution = run(implementation(copy_one), problem);
    ASSERT_EQ(execution.outputs.size(), 1U);
    EXPECT_EQ(execution.outputs[0], problem.tensors[0].storage);
    EXPECT_TRUE(execution.trespasses.empty());
    EXPECT_GT(execution.seconds, 0);
  }
}

TEST_F(KernelImplementationTest, UnwrittenBytesKeepTheFill) {
  const Execution execution = run(implementation([](const void*) {}), copy_problem(40));
  EXPECT_EQ(execution.outputs.at(0), std::vector<std::uint8_t>(40, 0xee));
}

TEST_F(KernelImplementationTest, AnEmptyCallLaunchesNothing) {
  const Execution execution =
      run(implementation([](const void*) { std::abort(); }), copy_problem(0));
  EXPECT_EQ(execution.outputs, Outputs(1));
  EXPECT_EQ(execution.seconds, 0);
}

TEST_F(KernelImplementationTest, AByteWrittenBehindAnOutputIsATrespass) {
  for (const std::size_t bytes : {1U, 40U, 256U, 9216U}) {
    const Execution execution = run(implementation([](const void* arguments) {
                                      copy_one(arguments);
                                      const CopyArgs& args = copy_args(arguments);
                                      if (copy_index() == 0) args.to[args.count] = 0x12;
                                    }),
                                    copy_problem(bytes));
    ASSERT_EQ(execution.trespasses.size(), 1U) << bytes;
    const Trespass& trespass = execution.trespasses[0];
    EXPECT_EQ(trespass.tensor, "to");
    EXPECT_EQ(trespass.region, "guard after");
    EXPECT_EQ(trespass.byte, static_cast<std::int64_t>(bytes));
    EXPECT_EQ(trespass.expected, guard_byte(1, trespass.byte));
    EXPECT_EQ(trespass.actual, 0x12);
    EXPECT_EQ(trespass.count, 1U);
  }
}

TEST_F(KernelImplementationTest, BytesWrittenBeforeAnOutputAreATrespass) {
  const Execution execution = run(implementation([](const void* arguments) {
                                    copy_one(arguments);
                                    const CopyArgs& args = copy_args(arguments);
                                    if (copy_index() < 3) args.to[-1 - copy_index()] = 0x12;
                                  }),
                                  copy_problem(40));
  ASSERT_EQ(execution.trespasses.size(), 1U);
  EXPECT_EQ(execution.trespasses[0].region, "guard before");
  EXPECT_EQ(execution.trespasses[0].byte, -3);
  EXPECT_EQ(execution.trespasses[0].count, 3U);
}

TEST_F(KernelImplementationTest, AChangedInputIsATrespass) {
  const Execution execution = run(implementation([](const void* arguments) {
                                    copy_one(arguments);
                                    const CopyArgs& args = copy_args(arguments);
                                    if (copy_index() == 5) {
                                      const_cast<std::uint8_t*>(args.from)[5] = 0x99;
                                    }
                                  }),
                                  copy_problem(40));
  ASSERT_EQ(execution.trespasses.size(), 1U);
  EXPECT_EQ(execution.trespasses[0].tensor, "from");
  EXPECT_EQ(execution.trespasses[0].region, "input");
  EXPECT_EQ(execution.trespasses[0].byte, 5);
  EXPECT_EQ(execution.trespasses[0].expected, 5);
  EXPECT_EQ(execution.trespasses[0].actual, 0x99);
}

TEST_F(KernelImplementationTest, ATrespassDoesNotLastUntilTheNextCall) {
  static std::atomic<bool> wrong;
  Implementation& subject = implementation([](const void* arguments) {
    copy_one(arguments);
    const CopyArgs& args = copy_args(arguments);
    if (wrong && copy_index() == 0) args.to[args.count] = 0x12;
  });
  wrong = true;
  EXPECT_EQ(run(subject, copy_problem(40)).trespasses.size(), 1U);
  wrong = false;
  EXPECT_TRUE(run(subject, copy_problem(40)).trespasses.empty());
}

// docs/reported-faults.md M02: a wide load at the end of the last page. 9216 is a multiple of 256,
// so that the page ends where memory ends.
TEST_F(KernelImplementationTest, AReadBehindAnInputIsAnErrorThatNamesIt) {
  const std::string message = failure(implementation([](const void* arguments) {
                                        copy_one(arguments);
                                        const CopyArgs& args = copy_args(arguments);
                                        volatile std::uint8_t byte = args.from[args.count];
                                        static_cast<void>(byte);
                                      }),
                                      copy_problem(9216));
  EXPECT_THAT(message, HasSubstr("launch of copy_test: block 0, thread 0: invalid"));
  EXPECT_THAT(message, HasSubstr(", 0 bytes behind from"));
}

// The same for a size that is no multiple of 256, by a misalignment that moves the end to the edge.
TEST_F(KernelImplementationTest, AMisalignedInputCanEndAtTheEdge) {
  Problem problem = copy_problem(60);
  problem.tensors[0].misalignment_bytes = flush_misalignment(60);
  const std::string message = failure(implementation([](const void* arguments) {
                                        const CopyArgs& args = copy_args(arguments);
                                        volatile std::uint8_t byte = args.from[args.count];
                                        static_cast<void>(byte);
                                      }),
                                      problem);
  EXPECT_THAT(message, HasSubstr(", 0 bytes behind from"));
}

// docs/reported-faults.md G07: entry -1 of a table followed.
TEST_F(KernelImplementationTest, AReadOfThePageBeforeIsAnErrorThatNamesIt) {
  const std::string message = failure(implementation([](const void* arguments) {
                                        const CopyArgs& args = copy_args(arguments);
                                        volatile std::uint8_t byte = args.from[-9216];
                                        static_cast<void>(byte);
                                      }),
                                      copy_problem(9216));
  EXPECT_THAT(message, HasSubstr(", 9216 bytes before from"));
}

TEST_F(KernelImplementationTest, AfterAnErrorTheNextCallRuns) {
  failure(implementation([](const void* arguments) {
            volatile std::uint8_t byte = copy_args(arguments).from[9216];
            static_cast<void>(byte);
          }),
          copy_problem(9216));
  const Problem problem = copy_problem(9216);
  EXPECT_EQ(run(implementation(copy_one), problem).outputs.at(0), problem.tensors[0].storage);
}

TEST_F(KernelImplementationTest, AddressesHaveTheMisalignmentAsked) {
  static std::atomic<std::uint64_t> from;
  static std::atomic<std::uint64_t> to;
  Implementation& subject = implementation([](const void* arguments) {
    copy_one(arguments);
    from = reinterpret_cast<std::uint64_t>(copy_args(arguments).from);
    to = reinterpret_cast<std::uint64_t>(copy_args(arguments).to);
  });
  for (const std::uint32_t misalignment : {0U, 1U, 16U, 255U}) {
    for (const std::size_t bytes : {1U, 40U, 4096U, 9216U}) {
      Problem problem = copy_problem(bytes);
      for (Tensor& tensor : problem.tensors) tensor.misalignment_bytes = misalignment;
      const Execution execution = run(subject, problem);
      EXPECT_EQ(execution.outputs.at(0), problem.tensors[0].storage);
      EXPECT_TRUE(execution.trespasses.empty());
      EXPECT_EQ(from % 256, misalignment);
      EXPECT_EQ(to % 256, misalignment);
    }
  }
}

TEST_F(KernelImplementationTest, RefusesAMisalignmentOf256) {
  Problem problem = copy_problem(40);
  problem.tensors[1].misalignment_bytes = 256;
  EXPECT_EQ(failure(implementation(copy_one), problem),
            "to: misalignment: expected less than 256 bytes, got 256");
}

// A base 2^32 bytes before the storage: the kernel adds the same distance again.
TEST_F(KernelImplementationTest, ABiasedBaseIsAnAddressOutsideTheStorage) {
  constexpr std::int64_t bias = std::int64_t{1} << 32;
  Problem problem = copy_problem(100);
  problem.tensors[0].origin_bytes = -bias;
  problem.tensors[1].origin_bytes = bias;
  const Execution execution = run(implementation([](const void* arguments) {
                                    const CopyArgs& args = copy_args(arguments);
                                    if (copy_index() < args.count) {
                                      args.to[copy_index() - bias] = args.from[copy_index() + bias];
                                    }
                                  }),
                                  problem);
  EXPECT_EQ(execution.outputs.at(0), problem.tensors[0].storage);
}

TEST_F(KernelImplementationTest, CallsOfOneSizeUseTheSameMemory) {
  static std::atomic<std::uint64_t> from;
  Implementation& subject = implementation([](const void* arguments) {
    from = reinterpret_cast<std::uint64_t>(copy_args(arguments).from);
  });
  run(subject, copy_problem(9216));
  const std::uint64_t first = from;
  run(subject, copy_problem(9216, 1));
  EXPECT_EQ(from, first);
}

// What the reuse is for: a kernel that answers from what it saw in the first call.
TEST_F(KernelImplementationTest, AKernelThatKeepsAnOldInputIsSeen) {
  static std::vector<std::uint8_t> kept;
  kept.clear();
  Implementation& subject = implementation([](const void* arguments) {
    const CopyArgs& args = copy_args(arguments);
    if (copy_index() != 0) return;
    if (kept.empty()) kept.assign(args.from, args.from + args.count);
    std::copy(kept.begin(), kept.end(), args.to);
  });
  const Problem first = copy_problem(16, 0);
  const Problem second = copy_problem(16, 100);
  EXPECT_EQ(run(subject, first).outputs.at(0), first.tensors[0].storage);
  EXPECT_NE(run(subject, second).outputs.at(0), second.tensors[0].storage);
}

TEST_F(KernelImplementationTest, RefusesAProblemOfAnotherOperation) {
  Problem problem = copy_problem(4);
  problem.operation = "other";
  EXPECT_EQ(failure(implementation(copy_one), problem),
            "copy_test: expected a problem of copy, got one of other");
}

TEST_F(KernelImplementationTest, SaysWhatItIs) {
  const ImplementationInfo& info = implementation(copy_one).info();
  EXPECT_EQ(info.key(), "copy test cpu");
  EXPECT_EQ(info.origin, "built-in");
  EXPECT_EQ(info.profile, "ocp");
  EXPECT_EQ(info.unavailable, "");
  EXPECT_THAT(info.toolkit, HasSubstr("++ "));
}

TEST(BuiltinImplementationsTest, TheLongestOperationNameThatFitsWins) {
  const auto device = std::move(open_device("cpu").value());
  const CopyOperation copy("copy");
  const CopyOperation copy_back("copy_back");
  const std::array<const Operation*, 2> operations{&copy, &copy_back};
  const std::array<kernels::Entry, 3> entries{host_entry("copy_fp32", copy_one),
                                              host_entry("copy_back_fp32", copy_one),
                                              host_entry("copy_backward", nullptr)};
  const auto made = builtin_implementations(*device, operations, {entries, {}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ((*made)[0]->info().key(), "copy fp32 cpu");
  EXPECT_EQ((*made)[1]->info().key(), "copy_back fp32 cpu");
  EXPECT_EQ((*made)[2]->info().key(), "copy backward cpu");
  EXPECT_THAT((*made)[2]->info().unavailable, HasSubstr("has no host form"));
}

TEST(BuiltinImplementationsTest, AnEntryOfNoOperationIsAnError) {
  const auto device = std::move(open_device("cpu").value());
  const CopyOperation copy("copy");
  const std::array<const Operation*, 1> operations{&copy};
  for (const char* name : {"paste_fp32", "copy", "copy_", "copyfp32"}) {
    const std::array<kernels::Entry, 1> entries{host_entry(name, copy_one)};
    const auto made = builtin_implementations(*device, operations, {entries, {}});
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::unknown_name);
    EXPECT_THAT(made.error().message, HasSubstr("expected <operation>_<path>"));
  }
}

TEST(GuardByteTest, IsNegativeAsATableEntryAndVariesWithItsPlace) {
  unsigned equal_to_the_next = 0;
  for (std::int64_t position = -5000; position < 5000; ++position) {
    ASSERT_GE(guard_byte(0, position), 0x80);
    if (guard_byte(0, position) == guard_byte(0, position + 1)) ++equal_to_the_next;
  }
  EXPECT_EQ(equal_to_the_next, 0U);
}

}  // namespace
}  // namespace harness
