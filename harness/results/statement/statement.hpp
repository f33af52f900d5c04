// A conformance statement: one archive with the results, what they say, the environment they were
// made in and the reports, in which every file is named by its SHA-256. It proves that its parts
// belong together and say what it says; who made it is for a signature over the whole to say.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/result.hpp"
#include "harness/results/verdict/suite_knowledge.hpp"

namespace harness {

// A results file as its bytes.
struct ResultsText {
  std::string name;  // for messages
  std::string text;
};

// A ustar archive: statement.json (harness/schema/statement.schema.json), the folder run-1, run-2,
// ... of each results file with its reports, vectors/MANIFEST.json, and SHA256SUMS, which
// `sha256sum
// --check` reads. The same inputs give the same bytes.
// Error: results that are not a whole run of level full or exhaustive with the verdict CONFORMS and
// without waivers, that come from a build of no known commit or of several, or whose vector
// manifest is not `manifest`. `notes` is given what could not be checked on this machine: it is no
// part of a statement, which is the same wherever it is made.
Result<std::string> make_statement(std::span<const ResultsText> results,
                                   const std::optional<std::string>& manifest,
                                   const SuiteKnowledge& knowledge,
                                   std::vector<std::string>* notes = nullptr);

// Makes the statement again from the results and the manifest of the archive, and compares: so
// every conclusion is drawn again, and there is nothing in the archive that does not follow from
// its records. Returns statement.json. Error: what does not hold, or which build of the suite can
// tell.
Result<nlohmann::ordered_json> verify_statement(std::string_view archive,
                                                const SuiteKnowledge& knowledge,
                                                std::vector<std::string>* notes = nullptr);

}  // namespace harness
