#include "harness/cli/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

namespace {

using harness::cli::command_tree;
using harness::cli::CommandInfo;
using testing::ElementsAre;
using testing::HasSubstr;

// A tree with every kind of option, two levels of subcommands and text that needs escaping.
class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    app.description("Byte-exact suite");
    app.footer("Exit codes: 0 conforms.");
    CLI::App* run = app.add_subcommand("run", "Plan, run: [compare] it's all");
    run->add_option("--level", text, "How much to run")->check(CLI::IsMember({"smoke", "full"}));
    run->add_option("-o,--out", text, "Where results go")->type_name("FILE");
    run->add_option("--seed", number, "Of random cases");
    run->add_flag("--json", flag, "Machine-readable");
    run->add_option("--secret", text, "Not for people")->group("");
    CLI::App* vectors = app.add_subcommand("vectors", "Golden data");
    CLI::App* verify = vectors->add_subcommand("verify", ".Checks a \\ folder");
    verify->add_option("FOLDER", text, "Folder to check")->required()->type_name("DIR");
  }

  CommandInfo tree() const { return command_tree(app); }

  // What bash offers for a line whose last word is being typed, sorted, one a line.
  std::string bash_offers(const std::string& words, int count) const {
    const std::string path = testing::TempDir() + "fp4cts_completion_" + std::to_string(getpid());
    std::ofstream(path) << harness::cli::bash_completion(tree()) << "compopt() { :; }\nCOMP_WORDS=("
                        << words << ")\nCOMP_CWORD=" << count - 1
                        << "\n_fp4cts\nprintf '%s\\n' \"${COMPREPLY[@]}\" | sort\n";
    std::string result;
    FILE* pipe = popen(("bash --norc " + path).c_str(), "r");
    if (pipe == nullptr) return "bash did not start";
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) result += static_cast<char>(c);
    if (pclose(pipe) != 0) result += "bash failed";
    std::remove(path.c_str());
    return result;
  }

  CLI::App app{"", "fp4cts"};
  std::string text;
  int number = 0;
  bool flag = false;
};

TEST_F(CompletionTest, TreeHoldsWhatHelpShows) {
  const CommandInfo root = tree();
  ASSERT_EQ(root.subcommands.size(), 2u);
  const CommandInfo& run = root.subcommands[0];
  EXPECT_EQ(run.path_text(), "fp4cts run");
  ASSERT_EQ(run.options.size(), 5u);  // --help and all but the hidden one
  EXPECT_THAT(run.options[1].choices, ElementsAre("smoke", "full"));
  EXPECT_THAT(run.options[2].names, ElementsAre("-o", "--out"));
  EXPECT_EQ(run.options[2].kind, harness::cli::ValueKind::file);
  EXPECT_EQ(run.options[3].kind, harness::cli::ValueKind::text);
  EXPECT_EQ(run.options[4].kind, harness::cli::ValueKind::none);
  const CommandInfo& verify = root.subcommands[1].subcommands[0];
  EXPECT_EQ(verify.path_text(), "fp4cts vectors verify");
  EXPECT_TRUE(verify.options[1].positional);
  EXPECT_EQ(harness::cli::flatten(root).size(), 4u);
}

TEST_F(CompletionTest, BashOffersSubcommandsOptionsAndChoices) {
  EXPECT_EQ(bash_offers("fp4cts ''", 2), "--help\n-h\nrun\nvectors\n");
  EXPECT_EQ(bash_offers("fp4cts r", 2), "run\n");
  EXPECT_EQ(bash_offers("fp4cts run --", 3), "--help\n--json\n--level\n--out\n--seed\n");
  EXPECT_EQ(bash_offers("fp4cts run --level ''", 4), "full\nsmoke\n");
  EXPECT_EQ(bash_offers("fp4cts run --json --level s", 5), "smoke\n");
  EXPECT_EQ(bash_offers("fp4cts run --seed ''", 4), "\n");
  EXPECT_EQ(bash_offers("fp4cts vectors v", 3), "verify\n");
  EXPECT_EQ(bash_offers("fp4cts vectors verify /et", 4), "/etc\n");
}

TEST_F(CompletionTest, ZshEscapesWhatItsSpecsTakeForSyntax) {
  const std::string script = harness::cli::zsh_completion(tree());
  EXPECT_THAT(script, HasSubstr("#compdef fp4cts\n"));
  EXPECT_THAT(script, HasSubstr("'--level[How much to run]:TEXT:(smoke full)'"));
  EXPECT_THAT(script, HasSubstr("'run:Plan, run\\: \\[compare\\] it'\\''s all'"));
  EXPECT_THAT(script, HasSubstr("verify) _fp4cts__vectors__verify ;;"));
  EXPECT_THAT(script, HasSubstr("':FOLDER:_files'"));
}

TEST_F(CompletionTest, FishOffersEachOptionUnderItsSubcommand) {
  const std::string script = harness::cli::fish_completion(tree());
  EXPECT_THAT(script, HasSubstr("complete -c fp4cts -n '__fish_seen_subcommand_from run' "
                                "-l level -x -a 'smoke full' -d 'How much to run'\n"));
  EXPECT_THAT(script, HasSubstr("-n '__fish_seen_subcommand_from run' -s o -l out -r -F"));
  EXPECT_THAT(script, HasSubstr("-n '__fish_use_subcommand' -a run -d "));
}

TEST_F(CompletionTest, ManPageHoldsEveryCommandAndEscapesRoff) {
  const std::string page = harness::cli::man_page(tree(), "1.2.3");
  EXPECT_THAT(page, HasSubstr(".TH FP4CTS 1 \"\" \"fp4cts 1.2.3\""));
  EXPECT_THAT(page, HasSubstr(".SS fp4cts vectors verify\n"));
  EXPECT_THAT(page, HasSubstr("\\&.Checks a \\e folder"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFILE\\fR\nWhere results go"));
  EXPECT_THAT(page, HasSubstr("How much to run.\nOne of smoke, full."));
  EXPECT_THAT(page, testing::Not(HasSubstr("secret")));
  EXPECT_THAT(page, HasSubstr("Exit codes: 0 conforms."));
}

}  // namespace
