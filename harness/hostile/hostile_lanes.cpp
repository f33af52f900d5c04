#include "harness/hostile/targets.hpp"
#include "vectors/src/lane_stream.hpp"

namespace harness::hostile {
namespace {

LaneReader opened() {
  static const oracle::Profile profile = oracle::profiles::ocp();
  return must(LaneReader::open(must(plan_lanes("e2m1_to_f32", Level::smoke, 0), "a plan"), profile),
              "the golden answers of a table");
}

}  // namespace

// Nothing but the whole plan in order is complete, and nothing is verified twice.
void hostile_lanes(Bytes bytes) {
  static const LaneReader fresh = opened();
  LaneReader reader = fresh;
  std::string_view text = text_of(bytes);
  std::uint64_t lines = 0;
  bool refused = false;
  while (!text.empty() && !refused) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    refused = !accepted(reader.line(text.substr(0, end)), fmt::format("line {}", ++lines));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const LaneVerdict verdict = reader.finish();
  law(verdict.verified <= verdict.planned && verdict.verified <= lines, "a line holds one result");
  law(verdict.mismatches <= verdict.verified, "what was not answered is no mismatch");
  law(verdict.incomplete.empty() == (lines - (refused ? 1 : 0) == verdict.planned + 2),
      "complete is head, every element and tail");
  law(verdict.wrong.empty() == (verdict.mismatches == 0), "a mismatch is diagnosed");
}

}  // namespace harness::hostile
