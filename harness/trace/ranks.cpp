#include "harness/trace/ranks.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace harness::trace {
namespace {

RankTime rank_time(const Diagnosis& diagnosis) {
  RankTime time{.rank = diagnosis.rank, .file = diagnosis.file, .step_us = step_us(diagnosis)};
  const auto& shares = diagnosis.shares;
  const double steps = static_cast<double>(std::max<std::int64_t>(diagnosis.judged_steps, 1));
  time.stepped = diagnosis.judged_steps > 0;
  for (const auto use :
       {Use::arithmetic, Use::memory, Use::unknown_work, Use::copy_in, Use::copy_out, Use::copy_model})
    time.working_us += shares[use] / steps;
  time.communicating_us = shares[Use::communication] / steps;
  // A trace of a thread does not say what of a collective is hidden.
  const auto kind = static_cast<std::size_t>(KernelKind::communication);
  time.collectives_us = shares.of_host ? time.communicating_us : diagnosis.kernels.kind_us[kind] / steps;
  if (time.step_us == 0) time.step_us = shares.window_us;
  return time;
}

/// Times of a step beside times of a whole recording, or a rank without collectives, compare to nothing.
bool comparable(std::span<const RankTime> ranks) {
  return std::ranges::all_of(ranks, [&](const RankTime& rank) {
    return rank.collectives_us > 0 && rank.stepped == ranks.front().stepped;
  });
}

constexpr auto what_to_do = "; give one trace, or use --against to compare two";

}  // namespace

void require_ranks(std::span<const Diagnosis> diagnoses) {
  if (diagnoses.size() < 2) return;
  const auto& first = diagnoses.front();
  std::map<std::int64_t, std::string> seen;
  for (const auto& diagnosis : diagnoses) {
    if (diagnosis.rank == absent)
      throw BadInput(fmt::format("{}: this trace does not say which rank it is, so it cannot join others{}",
                                 diagnosis.file, what_to_do));
    const auto [earlier, is_new] = seen.emplace(diagnosis.rank, diagnosis.file);
    if (!is_new)
      throw BadInput(fmt::format("{} and {} both say that they are rank {}{}", earlier->second,
                                 diagnosis.file, diagnosis.rank, what_to_do));
    if (diagnosis.world_size > 0 && first.world_size > 0 && diagnosis.world_size != first.world_size)
      throw BadInput(fmt::format("{} and {} come from runs of {} and {} ranks{}", first.file, diagnosis.file,
                                 first.world_size, diagnosis.world_size, what_to_do));
  }
}

RankSummary rank_summary(std::span<const Diagnosis> diagnoses) {
  RankSummary summary;
  for (const auto& diagnosis : diagnoses) summary.ranks.push_back(rank_time(diagnosis));
  auto& ranks = summary.ranks;
  if (ranks.empty()) return summary;
  summary.first_steps = static_cast<double>(std::max<std::int64_t>(diagnoses.front().judged_steps, 1));
  std::ranges::stable_sort(ranks, {}, &RankTime::rank);
  const auto count = static_cast<double>(ranks.size());
  const auto last = std::ranges::min_element(ranks, {}, &RankTime::collectives_us);
  const double least = last->collectives_us;
  for (auto& rank : ranks) {
    rank.waiting_us = rank.collectives_us - least;
    summary.mean_working_us += rank.working_us / count;
    summary.mean_communicating_us += rank.communicating_us / count;
    summary.waiting_us += rank.waiting_us / count;
  }
  const auto slowest = std::ranges::max_element(ranks, {}, &RankTime::working_us);
  if (summary.mean_working_us > 0) summary.imbalance = slowest->working_us / summary.mean_working_us - 1;
  if (ranks.size() > 1 && comparable(ranks))
    last->straggler =
        summary.waiting_us * count / (count - 1) > imbalanced * last->step_us && last->step_us > 0;
  return summary;
}

RegimeVerdict common_verdict(std::span<const Diagnosis> diagnoses) {
  if (diagnoses.size() == 1) return diagnoses.front().verdict;
  Shares sum;
  std::int64_t steps = 0;
  for (const auto& diagnosis : diagnoses) {
    sum += diagnosis.shares;
    steps += diagnosis.judged_steps;
  }
  return judge(sum, steps);
}

namespace {

/// Who waits longest for that rank, and how long.
std::string waiter(const RankSummary& summary, const RankTime& straggler) {
  const RankTime* longest = nullptr;
  for (const auto& rank : summary.ranks)
    if (&rank != &straggler && (longest == nullptr || rank.waiting_us > longest->waiting_us)) longest = &rank;
  if (longest == nullptr || longest->waiting_us <= 0) return "the others wait in their collectives";
  return fmt::format("rank {} waits for it in its collectives, {}{}{}", longest->rank,
                     us_text(longest->waiting_us), longest->stepped ? " a step" : "",
                     summary.ranks.size() > 2 ? ", longest of all" : "");
}

}  // namespace

std::vector<Finding> rank_findings(const RankSummary& summary) {
  const auto straggler = std::ranges::find_if(summary.ranks, &RankTime::straggler);
  if (straggler == summary.ranks.end()) return {};
  const bool longer = straggler->working_us > (1 + imbalanced) * summary.mean_working_us;
  // Work that is spread evenly takes the mean wait away; a host in time, the wait of all.
  double saves = summary.waiting_us;
  if (!longer) {
    saves = straggler->step_us;
    for (const auto& rank : summary.ranks)
      if (&rank != &*straggler) saves = std::min(saves, rank.waiting_us);
  }
  const double share = straggler->step_us > 0 ? saves / straggler->step_us : 0;
  auto finding = remark("rank_imbalance", share >= high_share ? Severity::high : Severity::medium,
                        fmt::format("rank {} {}works for {}{}, the mean rank for {}; {}", straggler->rank,
                                    longer ? "" : "enters its collectives last, held up by its host: it ",
                                    us_text(straggler->working_us), straggler->stepped ? " a step" : "",
                                    us_text(summary.mean_working_us), waiter(summary, *straggler)));
  finding.saves_us = saves * summary.first_steps;
  return {finding};
}

}  // namespace harness::trace
