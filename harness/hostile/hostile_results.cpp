#include <sstream>

#include "harness/hostile/targets.hpp"
#include "harness/results/gate/diff.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/report/report.hpp"
#include "harness/results/statement/statement.hpp"

namespace harness::hostile {
namespace {

std::string written(const ResultsFile& file) {
  std::string text = to_json(file.header).dump() + '\n';
  for (const NotRunRecord& record : file.not_run) text += to_json(record).dump() + '\n';
  for (const CaseRecord& record : file.cases) text += to_json(record).dump() + '\n';
  for (const BoardRecord& record : file.boards) text += to_json(record).dump() + '\n';
  for (const CoverageRecord& record : file.coverage) text += to_json(record).dump() + '\n';
  if (file.end) text += to_json(*file.end).dump() + '\n';
  return text;
}

}  // namespace

// Records that were read are written and read back equal, every report can be made of them, and a
// statement that can be made of them verifies.
void hostile_results(Bytes bytes) {
  const std::string text(text_of(bytes));
  std::istringstream stream(text);
  const auto results = parse_results(stream, source);
  if (!accepted(results)) return;
  law(results->keep_bytes <= text.size(), "what a resumed run keeps is in the file");

  const std::string again = written(*results);
  std::istringstream second(again);
  const ResultsFile reread = must(parse_results(second, source), "results that were written");
  law(written(reread) == again, "results read back equal");

  // A build that knows no operation: nothing adds up but runs of nothing, and nothing may break.
  SuiteKnowledge knowledge;
  knowledge.read_profile = [](const nlohmann::json&) { return oracle::profiles::ocp(); };
  knowledge.shipped_profile = [](const std::string&) { return std::nullopt; };
  accepted(conclude(*results, source, knowledge));
  ConcludedRun run;
  run.end = draw_end(*results, knowledge, !results->end);
  run.results = *results;
  law(!html_report(run).empty(), "a report has bytes");
  law(!junit_xml(run).empty(), "a report has bytes");
  law(json_summary(run).is_object(), "a summary is an object");
  law(!text_summary(run, 20).empty(), "a summary has words");

  const std::vector<ResultsText> runs{{std::string(source), text}};
  const auto statement = make_statement(runs, std::nullopt, knowledge);
  if (accepted(statement, "statement: ")) {
    must(verify_statement(*statement, knowledge), "a statement that was made");
  }
}

}  // namespace harness::hostile
