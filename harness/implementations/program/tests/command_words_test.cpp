// Command lines of programs: what a shell would make of them without expanding anything, or an
// error.
#include "harness/implementations/program/command_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/implementations/isolation/temporary_folder.hpp"
#include "harness/implementations/program/program_name.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::ResultOf;

std::string error_of(std::string_view command) {
  const auto words = split_command(command);
  return words ? "no error" : words.error().message;
}

TEST(CommandWordsTest, SplitsAsAShellDoes) {
  const std::vector<std::pair<std::string_view, std::vector<std::string>>> cases{
      {"prog", {"prog"}},
      {"  prog \t a  b ", {"prog", "a", "b"}},
      {"prog 'a b' \"c d\" e\\ f", {"prog", "a b", "c d", "e f"}},
      {"prog a'b'\"c\"d", {"prog", "abcd"}},
      {"prog '' \"\"", {"prog", "", ""}},
      {R"(prog 'a\b' "a\b" "a\"b" "a\\b" a\\b)", {"prog", "a\\b", "a\\b", "a\"b", "a\\b", "a\\b"}},
      {"prog '$HOME | *' \"\\$x\" \\*", {"prog", "$HOME | *", "$x", "*"}},
      {"prog --in={in} a~b a#b x=1", {"prog", "--in={in}", "a~b", "a#b", "x=1"}},
      {"./dir=1/prog", {"./dir=1/prog"}},
      {"sh -c 'exec prog <\"$1\" >\"$2\"' sh {in} {out}",
       {"sh", "-c", "exec prog <\"$1\" >\"$2\"", "sh", "{in}", "{out}"}},
  };
  for (const auto& [command, expected] : cases) {
    const auto words = split_command(command);
    ASSERT_TRUE(words) << command << ": " << words.error().message;
    EXPECT_EQ(*words, expected) << command;
  }
}

TEST(CommandWordsTest, WhatNeedsAShellIsRefused) {
  for (const char* command :
       {"a | b", "a && b", "a; b", "a > b", "a <b", "a $HOME", "a `b`", "a *.py", "a ?", "a [b]",
        "(a)", "~/a", "a #b", "a \"$b\"", "a \"`b`\"", "a\nb"}) {
    EXPECT_THAT(error_of(command), HasSubstr("no shell reads the command, and ")) << command;
  }
  EXPECT_EQ(error_of("a | b"),
            "no shell reads the command, and '|' would need one: quote it, or write sh -c '...'");
  EXPECT_EQ(error_of("OMP_NUM_THREADS=1 a"),
            "no shell reads the command: write env OMP_NUM_THREADS=... before the program");
}

TEST(CommandWordsTest, WhatIsNotClosedIsRefused) {
  EXPECT_EQ(error_of("a 'b"), "the command has an open '");
  EXPECT_EQ(error_of("a \"b"), "the command has an open \"");
  EXPECT_EQ(error_of("a \\"), "the command ends with a backslash");
  for (const char* command : {"", "  "}) EXPECT_EQ(error_of(command), "the command is empty");
}

TEST(CommandWordsTest, PathsTakeTheirPlacesOrComeLast) {
  EXPECT_THAT(*with_paths({"p", "-x"}, "/i", "/o"), ElementsAre("p", "-x", "/i", "/o"));
  EXPECT_THAT(*with_paths({"p", "--out={out}", "{in}", "{in}:{out}"}, "/i", "/o"),
              ElementsAre("p", "--out=/o", "/i", "/i:/o"));
  EXPECT_EQ(with_paths({"p", "{in}"}, "/i", "/o").error().message,
            "the command has {in} and not {out}; expected both, or neither, and both paths are "
            "appended");
  EXPECT_THAT(with_paths({"p", "{out}"}, "/i", "/o").error().message,
              HasSubstr("has {out} and not {in}"));
}

class CommandNameTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  TemporaryFolder folder_ = std::move(TemporaryFolder::create().value());
};

TEST_F(CommandNameTest, IsThatOfTheProgramOrOfItsScript) {
  const std::string script = file("my gather.v2.py", "");
  const std::string data = file("weights.bin", "");
  EXPECT_EQ(name_of_command({"python3", "-u", script, data}), "my_gather.v2");
  EXPECT_EQ(name_of_command({"/opt/bin/python3.12", script}), "my_gather.v2");
  EXPECT_EQ(name_of_command({"env", "A=1", "python3", script}), "my_gather.v2");
  EXPECT_EQ(name_of_command({"./build/gather", data}), "gather");
  EXPECT_EQ(name_of_command({"python3", "-c", "print(1)"}), "python3");
}

TEST_F(CommandNameTest, DigestIsOfWordsAndOfFiles) {
  const std::string script = file("a.py", "one");
  const std::string copy = file("b.py", "one");
  const std::string digest = sha256_of_command({"python3", script, "--fast"});
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_EQ(sha256_of_command({"python3", copy, "--fast"}), digest);
  EXPECT_NE(sha256_of_command({"python3", copy, "--slow"}), digest);
  EXPECT_NE(sha256_of_command({"python3.12", copy, "--fast"}), digest);
  file("a.py", "two");
  EXPECT_NE(sha256_of_command({"python3", script, "--fast"}), digest);
}

}  // namespace
}  // namespace harness
