// Findings about launches: a device that waits for them, and kernels that are as short as they are.
#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace harness::trace {
namespace {

std::optional<Finding> launch_gaps(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::wait_launch);
  const double between = evidence.shares[Use::between];
  const double us = evidence.shares[Use::wait_launch] + between;
  std::string gaps;
  if (us > between)
    gaps = fmt::format("for {} until the host has launched the next piece", evidence.each(us - between));
  if (between > 0)
    gaps += fmt::format("{}for {} between pieces{}", gaps.empty() ? "" : ", and ", evidence.each(between),
                        evidence.shares.launches.all > 0 ? " that were launched" : "");
  auto found =
      saving(evidence, "launch_gaps", us, fmt::format("the device idles {}{}", gaps, most_by(blames)));
  // Who replays graphs already is helped by fewer kernels in them.
  return evidence.shares.launches.graphs > 0 ? led_by(std::move(found), {"compile/small_model"}) : found;
}

/// The host calls nothing for so long that launches cannot be its reason.
std::optional<Finding> outside_pytorch(const Evidence& evidence) {
  const auto function = [&](EventId id) { return evidence.trace.events[id].kind == Kind::python_function; };
  const auto named = blame(evidence, Use::outside, function);
  const auto others = blame(evidence, Use::outside, [&](EventId id) { return !function(id); });
  const bool in = total_us(named) > total_us(others);
  const auto& most = in ? named : others;
  const double us = evidence.shares[Use::outside];
  const bool behind = us - total_us(named) - total_us(others) > total_us(most);  // the device's last piece
  if (us <= 0 || (most.empty() && !behind)) return std::nullopt;
  const auto where = behind ? std::string() : most.front().where;
  const auto named_place =
      behind ? "behind the last launch" : fmt::format("{} {}", in ? "in" : "before", most.front().name);
  return saving(
      evidence, "outside_pytorch", us,
      fmt::format("the device idles for {} while the host calls neither an operator nor the runtime for {} "
                  "or longer, most {}{}; look for files, checkpoints, printing, data read by hand, "
                  "computations outside of PyTorch{}",
                  evidence.each(us), us_text(us_of(outside_ns)), named_place,
                  where.empty() ? "" : " at " + where,
                  (in && !behind) || !where.empty()
                      ? ""
                      : fmt::format(" ({} shows where)", option(evidence, "--stacks", "with_stack=True"))));
}

/// True of operators that compute nothing: they make a tensor, or views of one.
bool only_makes_tensors(std::string_view op) {
  return op.starts_with("aten::empty") || op.starts_with("aten::new_empty") ||
         op == "aten::unflatten_dense_tensors";
}

std::optional<Finding> host_operators(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::host_operator);
  const auto most = blames.empty() ? std::string() : blames.front().name;
  const bool makes = only_makes_tensors(most);
  auto finding = fit_to_host_operator(
      saving(evidence, "host_operators", evidence.shares[Use::host_operator],
             fmt::format("the device idles for {} while the host runs operators itself{}; {}",
                         evidence.each(evidence.shares[Use::host_operator]), most_by(blames),
                         makes ? "it only makes tensors: make fewer, or look for what takes the processor "
                                 "from it, such as the loader's workers"
                               : "run them on the device, less often, or beside its work")),
      most);
  if (finding && makes) finding->steps.clear();
  return finding;
}

/// The events within which the host calls the runtime, in a trace whose profiler recorded such calls.
std::vector<bool> calling_runtime(const Evidence& evidence) {
  std::vector<bool> calling(evidence.trace.events.size());
  for (auto id : evidence.trace.nesting.order) {
    const auto kind = evidence.trace.events[id].kind;
    if (!is_call(kind)) continue;
    for (; id != no_event && !calling[id]; id = evidence.trace.nesting.parent[id]) calling[id] = true;
  }
  return calling;
}

/// The same where the device's work was not recorded: what asks for nothing of the runtime runs on the host.
/// Whether the device idles meanwhile nobody knows.
std::optional<Finding> own_operators(const Evidence& evidence, const ThreadCalls& calls) {
  const auto calling = calling_runtime(evidence);
  if (std::ranges::none_of(calls.outer(), [&](EventId id) { return calling[id]; })) return std::nullopt;
  std::map<std::string_view, double> us_of_name;
  double us = 0;
  EventId longest = no_event;
  for (const auto id : calls.outer()) {
    const auto& event = evidence.trace.events[id];
    if (!evidence.judged[id] || calling[id] || event.dur < small_operator_ns ||
        host_work(calls.name(id)) == HostWork::calling)
      continue;
    us += us_of(event.dur);
    us_of_name[calls.name(id)] += us_of(event.dur);
    longest = longer(evidence.trace, longest, id);
  }
  if (share(us, evidence.window_us()) < worth_reporting) return std::nullopt;
  const auto most = std::ranges::max_element(us_of_name, {}, [](const auto& each) { return each.second; });
  return fit_to_host_operator(
      mark(evidence, "host_operators", us, Severity::low,
           fmt::format("the host runs operators itself for {} (most by {}{}), whatever the device does "
                       "meanwhile, which was not recorded; run them on the device, less often, or ahead, in "
                       "worker processes",
                       evidence.each(us), most->first,
                       calls.name(longest) == most->first ? at_site(evidence, longest) : "")),
      most->first);
}

std::optional<Finding> first_use(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::start_up);
  const double us = total_us(blames);
  if (share(us, evidence.window_us()) < worth_reporting) return std::nullopt;
  return remark(
      "first_use", Severity::info,
      fmt::format("the device idles for {} while calls load kernels' code or set libraries up, as on "
                  "their first use{}; warm up before you record: the verdict leaves this time out",
                  evidence.each(us), most_by(blames)));
}

/// "Hundreds of tiny pointwise kernels per step" (S4); half of them decides that they are the rule.
constexpr double hundreds = 100;
constexpr double mostly_tiny = 0.5;

/// The lengths of the kernels that have a launch of their own, in microseconds; those of graphs have none.
std::vector<double> launched_singly(const Evidence& evidence) {
  std::vector<double> lengths;
  for (const auto id : evidence.judged_of(Kind::kernel))
    if (!is_in_graph(evidence.trace, id)) lengths.push_back(us_of(evidence.trace.events[id].dur));
  return lengths;
}

std::optional<Finding> tiny_kernels(const Evidence& evidence) {
  auto lengths = launched_singly(evidence);
  const double per_step = evidence.per_step(static_cast<double>(lengths.size()));
  if (per_step < hundreds) return std::nullopt;
  double tiny = 0;
  double us = 0;
  for (const double length : lengths)
    if (length < tiny_us) {
      ++tiny;
      us += length;
    }
  const double tiny_share = share(tiny, static_cast<double>(lengths.size()));
  if (tiny_share < mostly_tiny) return std::nullopt;
  auto message = fmt::format("{} kernels{}{}, {} of them below 10 us (median {}){}",
                             count_text(std::llround(per_step)), evidence.stepped ? " a step" : "",
                             evidence.shares.launches.graphs > 0 ? " outside of graphs" : "",
                             share_text(tiny_share), us_text(median(std::move(lengths))),
                             evidence.shares.launches.all > 0 ? ": a launch costs as much as they do" : "");
  auto finding = saving(evidence, "tiny_kernels", us, message);
  if (!finding) finding = remark("tiny_kernels", Severity::info, std::move(message));
  // The lines of the first compile a training's step, those of the second a model that only answers.
  return goes_backwards(evidence.trace) ? finding : led_by(std::move(finding), {"launch/run_ahead"});
}

}  // namespace

Found unrecorded_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {own_operators(evidence, calls)};
}

Found launch_findings(const Evidence& evidence) {
  return {launch_gaps(evidence), outside_pytorch(evidence), host_operators(evidence), first_use(evidence),
          tiny_kernels(evidence)};
}

}  // namespace harness::trace
