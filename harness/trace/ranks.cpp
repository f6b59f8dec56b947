#include "harness/trace/ranks.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <numeric>
#include <set>

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
  if (time.step_us == 0) time.step_us = shares.window_us;
  return time;
}

/// A rank's time in that group, a step; 0 where it has none.
double group_us(const Diagnosis& diagnosis, const std::string& members) {
  const auto found = std::ranges::find(diagnosis.groups, members, &GroupTime::members);
  if (found == diagnosis.groups.end()) return 0;
  return found->us / static_cast<double>(std::max<std::int64_t>(diagnosis.judged_steps, 1));
}

/// The ranks of a group; of traces that tell of no groups, all of them.
RankGroup meeting(std::span<const Diagnosis* const> by_rank, const std::string& members) {
  RankGroup group{.members = members};
  for (std::size_t i = 0; i < by_rank.size(); ++i)
    if (members.empty() || group_us(*by_rank[i], members) > 0 || is_member(members, by_rank[i]->rank))
      group.ranks.push_back(i);
  return group;
}

/// Fills in who waits. Returns false where these ranks cannot be compared.
bool compared(std::span<const Diagnosis* const> by_rank, const std::vector<RankTime>& times,
              RankGroup& group) {
  if (group.ranks.size() < 2) return false;
  for (const auto i : group.ranks) {
    group.waiting_us.push_back(group_us(*by_rank[i], group.members));
    if (group.waiting_us.back() <= 0 || times[i].stepped != times[group.ranks.front()].stepped) return false;
  }
  const auto least = std::ranges::min_element(group.waiting_us);
  group.last = group.ranks[static_cast<std::size_t>(least - group.waiting_us.begin())];
  const double last_us = *least;
  for (auto& us : group.waiting_us) us -= last_us;
  return true;
}

std::vector<RankGroup> groups_of(std::span<const Diagnosis* const> by_rank,
                                 const std::vector<RankTime>& times) {
  std::set<std::string> named;
  for (const auto* diagnosis : by_rank)
    for (const auto& group : diagnosis->groups) named.insert(group.members);
  // Where groups are named, nobody knows whom the other collectives join.
  if (named.size() > 1) named.erase("");
  std::vector<RankGroup> groups;
  for (const auto& members : named)
    if (auto group = meeting(by_rank, members); compared(by_rank, times, group))
      groups.push_back(std::move(group));
  return groups;
}

double mean_working_us(const RankSummary& summary, const std::vector<std::size_t>& ranks) {
  double sum = 0;
  for (const auto i : ranks) sum += summary.ranks[i].working_us;
  return sum / static_cast<double>(ranks.size());
}

double imbalance_of(const RankSummary& summary, const std::vector<std::size_t>& ranks) {
  double slowest = 0;
  for (const auto i : ranks) slowest = std::max(slowest, summary.ranks[i].working_us);
  const double mean = mean_working_us(summary, ranks);
  return mean > 0 ? slowest / mean - 1 : 0;
}

/// The others wait for this share of a step or longer, in the mean, for a straggler.
constexpr double imbalanced = 0.05;

/// The others wait for its last rank for long, in the mean, and that one does not itself wait in another
/// group.
bool has_straggler(const RankSummary& summary, const RankGroup& group) {
  const auto& last = summary.ranks[group.last];
  const auto count = static_cast<double>(group.ranks.size());
  const double worth = imbalanced * last.step_us;
  return last.step_us > 0 && last.waiting_us <= worth &&
         group.mean_waiting_us() * count / (count - 1) > worth;
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

double RankGroup::mean_waiting_us() const {
  return std::accumulate(waiting_us.begin(), waiting_us.end(), 0.0) / static_cast<double>(waiting_us.size());
}

RankSummary rank_summary(std::span<const Diagnosis> diagnoses) {
  RankSummary summary;
  if (diagnoses.empty()) return summary;
  summary.first_steps = static_cast<double>(std::max<std::int64_t>(diagnoses.front().judged_steps, 1));
  std::vector<const Diagnosis*> by_rank;
  for (const auto& diagnosis : diagnoses) by_rank.push_back(&diagnosis);
  std::ranges::stable_sort(by_rank, {}, [](const Diagnosis* diagnosis) { return diagnosis->rank; });
  for (const auto* diagnosis : by_rank) summary.ranks.push_back(rank_time(*diagnosis));
  auto& ranks = summary.ranks;
  summary.groups = groups_of(by_rank, ranks);
  for (const auto& group : summary.groups) {
    for (std::size_t i = 0; i < group.ranks.size(); ++i)
      ranks[group.ranks[i]].waiting_us += group.waiting_us[i];
    summary.imbalance = std::max(summary.imbalance, imbalance_of(summary, group.ranks));
  }
  const auto count = static_cast<double>(ranks.size());
  for (const auto& rank : ranks) {
    summary.mean_working_us += rank.working_us / count;
    summary.mean_communicating_us += rank.communicating_us / count;
    summary.waiting_us += rank.waiting_us / count;
  }
  for (const auto& group : summary.groups)
    if (has_straggler(summary, group)) ranks[group.last].straggler = true;
  return summary;
}

JudgedTime judged_time(std::span<const Diagnosis> diagnoses) {
  JudgedTime sum;
  for (const auto& diagnosis : diagnoses) {
    sum.shares += diagnosis.shares;
    sum.steps += diagnosis.judged_steps;
  }
  return sum;
}

RegimeVerdict common_verdict(std::span<const Diagnosis> diagnoses) {
  if (diagnoses.size() == 1) return diagnoses.front().verdict;
  const auto [shares, steps] = judged_time(diagnoses);
  return judge(shares, steps);
}

namespace {

/// Who waits longest for the last rank of the group, and how long.
std::string waiter(const RankSummary& summary, const RankGroup& group) {
  const auto longest = std::ranges::max_element(group.waiting_us) - group.waiting_us.begin();
  const auto& rank = summary.ranks[group.ranks[static_cast<std::size_t>(longest)]];
  return fmt::format("rank {} waits for it in its collectives, {}{}{}", rank.rank,
                     us_text(group.waiting_us[static_cast<std::size_t>(longest)]),
                     rank.stepped ? " a step" : "", group.ranks.size() > 2 ? ", longest of all" : "");
}

/// What the others of the group would not wait: work that is spread evenly takes the mean wait away; a host
/// in time, the wait of all.
double saved_us(const RankGroup& group, bool longer) {
  if (longer) return group.mean_waiting_us();
  double least = *std::ranges::max_element(group.waiting_us);
  for (std::size_t i = 0; i < group.ranks.size(); ++i)
    if (group.ranks[i] != group.last) least = std::min(least, group.waiting_us[i]);
  return least;
}

Finding imbalance_finding(const RankSummary& summary, const RankGroup& group) {
  const auto& straggler = summary.ranks[group.last];
  const double mean = mean_working_us(summary, group.ranks);
  const bool longer = straggler.working_us > (1 + imbalanced) * mean;
  const double saves = saved_us(group, longer);
  const bool all = group.ranks.size() == summary.ranks.size();
  auto finding = remark(
      "rank_imbalance", share(saves, straggler.step_us) >= high_share ? Severity::high : Severity::medium,
      fmt::format("rank {} {}works for {}{}, the mean rank{} for {}; {}{}", straggler.rank,
                  longer ? "" : "enters its collectives last, held up by its host: it ",
                  us_text(straggler.working_us), straggler.stepped ? " a step" : "",
                  all ? "" : " of its process group", us_text(mean), waiter(summary, group),
                  longer ? "" : "; what holds it up is among the findings of its own trace"));
  finding.saves_us = saves * summary.first_steps;
  if (!longer) finding.steps.clear();  // its work is no larger, so nothing is to be spread
  return finding;
}

}  // namespace

std::vector<Finding> rank_findings(const RankSummary& summary) {
  std::map<std::size_t, const RankGroup*> worst;  // by straggler, the group that waits longest for it
  for (const auto& group : summary.groups) {
    if (!has_straggler(summary, group)) continue;
    auto& known = worst[group.last];
    if (known == nullptr || known->mean_waiting_us() < group.mean_waiting_us()) known = &group;
  }
  std::vector<Finding> findings;
  for (const auto& [straggler, group] : worst) {
    auto finding = imbalance_finding(summary, *group);
    if (share(finding.saves_us, summary.first_steps * summary.ranks[straggler].step_us) >= worth_reporting)
      findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace harness::trace
