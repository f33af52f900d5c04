#include "harness/suite/operations/page_contract.hpp"

#include <fmt/format.h>

#include <deque>
#include <mutex>

#include "harness/suite/operations/oracle_views.hpp"
#include "oracle/pages/decode_pages.hpp"
#include "oracle/pages/fast.hpp"

namespace harness {
namespace {

Result<oracle::GatherArguments> gather_arguments(const PageOperation& operation,
                                                 const Problem& problem,
                                                 std::span<std::uint8_t> out) {
  oracle::GatherArguments arguments;
  const auto view = [&](std::string_view name, oracle::ConstTensorView& into) -> Status {
    return oracle_view(problem, name).map([&](oracle::ConstTensorView&& found) {
      into = std::move(found);
    });
  };
  for (const auto& [name, into] :
       {std::pair<std::string_view, oracle::ConstTensorView*>{operation.pool, &arguments.pages},
        {"block_table", &arguments.block_table},
        {"num_pages", &arguments.num_pages},
        {"page_offsets", &arguments.page_offsets}}) {
    if (Status found = view(name, *into); !found) return tl::make_unexpected(found.error());
  }
  const auto bound = problem.scalars.find("max_num_pages");
  if (bound == problem.scalars.end()) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: max_num_pages: expected a scalar of this name, got none", operation.name));
  }
  arguments.max_num_pages = bound->second;
  arguments.out = oracle_view(*problem.find("out"), out);
  return arguments;
}

Status check_out(const PageOperation& operation, const Problem& problem) {
  const Tensor* out = problem.find("out");
  if (out == nullptr || out->role != Role::output) {
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("{}: out: expected an output tensor of this name, got {}",
                                    operation.name, out == nullptr ? "none" : "an input"));
  }
  return {};
}

Result<oracle::GatherPlan> plan_gather(const PageOperation& operation, const Problem& problem,
                                       std::span<std::uint8_t> out,
                                       const oracle::Profile& profile) {
  return gather_arguments(operation, problem, out)
      .and_then([&](const oracle::GatherArguments& arguments) {
        return operation.contract == PageContract::nvfp4_gather_index_k
                   ? oracle::plan_nvfp4_gather_index_k(arguments, profile)
                   : oracle::plan_mxfp4_gather_pages(arguments, profile);
      });
}

// The moves of a decode in the words of a gather: one request, every page at its own place.
Result<PagePlan> plan_decode(const PageOperation& operation, const Problem& problem,
                             const oracle::Profile& profile) {
  auto pages = oracle_view(problem, operation.pool);
  if (!pages) return tl::make_unexpected(pages.error());
  auto out = oracle_view(problem, "out");
  if (!out) return tl::make_unexpected(out.error());
  const auto decode = oracle::plan_mxfp4_decode_pages(*pages, *out, profile);
  if (!decode) return tl::make_unexpected(decode.error());
  if (pages->rank() > 3) {
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("{}: {} shape: expected [pages, heads, 8704] or [pages, 8704], "
                                    "got one of {} axes",
                                    operation.name, operation.pool, pages->rank()));
  }
  PagePlan plan{decode->layout, decode->destination, {}};
  const std::int64_t heads = pages->rank() == 3 ? pages->shape[1] : 1;
  plan.moves.reserve(decode->moves.size());
  for (std::size_t i = 0; i < decode->moves.size(); ++i) {
    const std::int64_t page = static_cast<std::int64_t>(i) / heads;
    plan.moves.push_back({0, page, page, static_cast<std::int64_t>(i) % heads, page,
                          decode->moves[i].source_bytes, decode->moves[i].destination_bytes});
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
  if (Status out = check_out(operation, problem); !out) return tl::make_unexpected(out.error());
  if (operation.contract == PageContract::mxfp4_decode_pages) {
    return plan_decode(operation, problem, profile);
  }
  // A view for writing, because the call's arguments have one; planning writes nothing.
  const std::vector<std::uint8_t>& storage = problem.find("out")->storage;
  auto plan = plan_gather(operation, problem,
                          {const_cast<std::uint8_t*>(storage.data()), storage.size()}, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  return PagePlan{plan->layout, plan->destination, std::move(plan->moves)};
}

Result<Outputs> expected_pages(const PageOperation& operation, const Problem& problem,
                               const oracle::Profile& profile) {
  auto plan = plan_pages(operation, problem, profile);
  if (!plan) return tl::make_unexpected(plan.error());
  const Tensor& pool = *problem.find(operation.pool);
  const Tensor& out = *problem.find("out");
  const auto page_bytes = static_cast<std::size_t>(plan->layout.page_bytes());
  const auto decoded_bytes =
      static_cast<std::size_t>(oracle::decoded_page_bytes(plan->layout, plan->destination));
  const auto decode = [&](Outputs& outputs, const auto& page_decoder) {
    for (const oracle::PageMove& move : plan->moves) {
      const auto from = static_cast<std::size_t>(pool.origin_bytes + move.source_bytes);
      const auto to = static_cast<std::size_t>(out.origin_bytes + move.destination_bytes);
      page_decoder(std::span(pool.storage).subspan(from, page_bytes),
                   std::span(outputs[0]).subspan(to, decoded_bytes));
    }
  };
  using In = std::span<const std::uint8_t>;
  using Out = std::span<std::uint8_t>;
  Outputs outputs{out.storage};
  const oracle::FastOracle& fast = fast_oracle(profile);
  decode(outputs, [&](In page, Out decoded) {
    fast.decode_page(plan->layout, page, plan->destination, decoded);
  });
  if (plan->moves.size() > max_exact_pages) return outputs;

  Outputs exact{out.storage};
  decode(exact, [&](In page, Out decoded) {
    oracle::decode_page(plan->layout, page, plan->destination, decoded, profile);
  });
  if (exact != outputs) {
    return oracle::fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: the exact oracle and the fast one disagree", operation.name));
  }
  return exact;
}

}  // namespace harness
