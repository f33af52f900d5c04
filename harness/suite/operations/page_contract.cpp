#include "harness/suite/operations/page_contract.hpp"

#include <fmt/format.h>

#include <deque>
#include <mutex>

#include "harness/suite/operations/oracle_views.hpp"
#include "harness/suite/signature_check.hpp"
#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/fast.hpp"

namespace harness {
namespace {

// Precondition: the problem keeps the signature.
oracle::GatherArguments gather_arguments(const PageOperation& operation, const Problem& problem,
                                         std::span<std::uint8_t> out) {
  oracle::GatherArguments arguments;
  arguments.pages = oracle_view(problem, operation.pool().name).value();
  arguments.block_table = oracle_view(problem, "block_table").value();
  arguments.num_pages = oracle_view(problem, "num_pages").value();
  arguments.page_offsets = oracle_view(problem, "page_offsets").value();
  arguments.max_num_pages = problem.scalars.at("max_num_pages");
  arguments.out = oracle_view(*problem.find("out"), out);
  return arguments;
}

// The moves of a decode in the words of a gather: one request, every page at its own place.
Result<PagePlan> plan_decode(const PageOperation& operation, const Problem& problem,
                             const oracle::Profile& profile) {
  const auto pages = oracle_view(problem, operation.pool().name);
  const auto out = oracle_view(problem, "out");
  const auto decode = oracle::plan_mxfp4_decode_pages(*pages, *out, profile);
  if (!decode) return tl::make_unexpected(decode.error());
  PagePlan plan{{decode->layout}, decode->destination, {}};
  const std::int64_t heads = pages->rank() == 3 ? pages->shape[1] : 1;
  plan.moves.reserve(decode->moves.size());
  for (std::size_t i = 0; i < decode->moves.size(); ++i) {
    const std::int64_t page = static_cast<std::int64_t>(i) / heads;
    plan.moves.push_back({.logical_page = page,
                          .page_id = page,
                          .head = static_cast<std::int64_t>(i) % heads,
                          .output_page = page,
                          .source_bytes = decode->moves[i].source_bytes,
                          .destination_bytes = decode->moves[i].destination_bytes});
  }
  return plan;
}

// Problems of at most so many pages are decoded by both oracles.
constexpr std::size_t max_exact_pages = 4;

// The tables of a profile, made once.
const oracle::FastOracle& fast_oracle(const oracle::Profile& profile) {
  static std::mutex mutex;
  static std::deque<oracle::FastOracle> made;
  const std::lock_guard lock(mutex);
  for (const oracle::FastOracle& oracle : made) {
    if (oracle.profile() == profile) return oracle;
  }
  return made.emplace_back(profile);
}

}  // namespace

Result<PagePlan> plan_pages(const PageOperation& operation, const Problem& problem,
                            const oracle::Profile& profile) {
  if (Status legal = check_signature(operation.signature, problem); !legal) {
    return tl::make_unexpected(legal.error());
  }
  if (!operation.has_table()) return plan_decode(operation, problem, profile);
  // A view for writing, because the call's arguments have one; planning writes nothing.
  const std::vector<std::uint8_t>& storage = problem.find("out")->storage;
  const std::span out{const_cast<std::uint8_t*>(storage.data()), storage.size()};
  return oracle::plan_gather(*operation.reader, gather_arguments(operation, problem, out), profile);
}

Result<Outputs> expected_pages(const PageOperation& operation, const Problem& problem,
                               const oracle::Profile& profile, PageOracles oracles) {
  auto plan = plan_pages(operation, problem, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  const Tensor& pool = *problem.find(operation.pool().name);
  const Tensor& out = *problem.find("out");
  const auto page_bytes = static_cast<std::size_t>(plan->layout().page_bytes());
  const auto decoded_bytes =
      static_cast<std::size_t>(oracle::decoded_page_bytes(plan->layout(), plan->destination));
  const auto decode = [&](Outputs& outputs, const auto& page_decoder) {
    for (const oracle::PageMove& move : plan->moves) {
      const auto from = static_cast<std::size_t>(pool.origin_bytes + move.source_bytes);
      const auto to = static_cast<std::size_t>(out.origin_bytes + move.destination_bytes);
      page_decoder(plan->layout(move.plane), std::span(pool.storage).subspan(from, page_bytes),
                   std::span(outputs[0]).subspan(to, decoded_bytes));
    }
  };
  using In = std::span<const std::uint8_t>;
  using Out = std::span<std::uint8_t>;
  Outputs outputs{out.storage};
  const oracle::FastOracle& fast = fast_oracle(profile);
  decode(outputs, [&](const oracle::PageLayout& layout, In page, Out decoded) {
    fast.decode_page(layout, page, plan->destination, decoded);
  });
  if (oracles == PageOracles::fast || plan->moves.size() > max_exact_pages) return outputs;

  Outputs exact{out.storage};
  decode(exact, [&](const oracle::PageLayout& layout, In page, Out decoded) {
    oracle::decode_page(layout, page, plan->destination, decoded, profile);
  });
  if (exact != outputs) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: the exact oracle and the fast one disagree", operation.name()));
  }
  return exact;
}

}  // namespace harness
