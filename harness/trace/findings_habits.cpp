// Findings about habits of a training script that leave a mark in its operators.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

double dur_us(const Evidence& evidence, EventId id) { return us_of(evidence.trace.events[id].dur); }

/// Outer operators from the first to the last one of a printed tensor, by their place among the outer ones.
struct Printed {
  std::size_t first;
  std::size_t last;
};

/// What PyTorch asks of a tensor to print it, in this order, and what it may ask after that.
constexpr std::array<std::string_view, 4> print_begins{"aten::isfinite", "aten::ne", "aten::__and__",
                                                       "aten::masked_select"};
constexpr std::string_view print_goes_on =
    "aten::abs aten::to aten::min aten::max aten::unbind aten::ceil aten::ne aten::div aten::gt "
    "aten::is_nonzero aten::lt aten::detach aten::item aten::slice aten::select aten::tolist "
    "aten::resolve_conj aten::resolve_neg aten::view aten::alias aten::reshape";

std::vector<Printed> printed(const ThreadCalls& calls) {
  std::vector<Printed> found;
  const auto& outer = calls.outer();
  for (std::size_t at = 0; at + print_begins.size() <= outer.size(); ++at) {
    const bool begins = std::ranges::equal(print_begins, std::span(outer).subspan(at, print_begins.size()),
                                           {}, {}, [&](EventId id) { return calls.name(id); });
    if (!begins || !calls.counts(outer[at])) continue;
    auto last = at + print_begins.size() - 1;
    while (last + 1 < outer.size() && calls.counts(outer[last + 1]) &&
           is_word_of(print_goes_on, calls.name(outer[last + 1])))
      ++last;
    found.push_back({at, last});
    at = last;
  }
  return found;
}

std::optional<Finding> tensor_printing(const Evidence& evidence, const ThreadCalls& calls,
                                       const std::vector<Printed>& prints) {
  if (prints.empty()) return std::nullopt;
  double us = 0;
  for (const auto& print : prints)
    us += us_of(evidence.trace.events[calls.outer()[print.last]].end() -
                evidence.trace.events[calls.outer()[print.first]].ts);
  const auto count = static_cast<std::int64_t>(prints.size());
  return mark(
      evidence, "tensor_printing", us, Severity::low,
      fmt::format("a tensor is printed {}{}, which takes {} of operators that format it; print it after "
                  "the loop, or every N steps (on a GPU each value would be waited for)",
                  count == 1 ? "once" : count_text(count) + " times",
                  at_site(evidence, calls.outer()[prints.front().first]), evidence.each(us)),
      us);
}

std::optional<Finding> item_reads(const Evidence& evidence, const ThreadCalls& calls,
                                  const std::vector<Printed>& prints) {
  double count = 0;
  double us = 0;
  EventId longest = no_event;
  auto print = prints.begin();
  for (std::size_t at = 0; at < calls.outer().size(); ++at) {
    const auto id = calls.outer()[at];
    while (print != prints.end() && print->last < at) ++print;
    if (print != prints.end() && at >= print->first) continue;
    if (!calls.counts(id) || !is_any(calls.name(id), {"aten::item", "aten::is_nonzero",
                                                      "aten::_local_scalar_dense", "aten::equal"}))
      continue;
    ++count;
    us += dur_us(evidence, id);
    longest = longer(evidence.trace, longest, id);
  }
  if (count == 0 || evidence.per_step(count) < 1) return std::nullopt;
  const double each = evidence.per_step(count);
  return remark(
      "item_reads", Severity::low,
      fmt::format("{} {} read back{}{} (.item(), float(), if tensor): {} here, but on a GPU each read "
                  "waits for everything that is queued",
                  rounded_text(each), each < 1.5 ? "value is" : "values are",
                  evidence.stepped ? " in each step" : "", at_site(evidence, longest), evidence.each(us)),
      us);
}

/// The engine asks each gradient for NaN only where anomaly detection is on.
std::optional<Finding> anomaly_checks(const Evidence& evidence) {
  std::int64_t asked = 0;
  double us = 0;
  for (const auto id : evidence.trace.nesting.order) {
    const auto parent = evidence.trace.nesting.parent[id];
    const auto& trace = evidence.trace;
    if (!evidence.judged[id] || parent == no_event || !trace.name(parent).starts_with(autograd_engine))
      continue;
    const auto name = trace.name(id);
    if (!is_any(name, {"aten::isnan", "aten::_is_any_true", "aten::any", "aten::item", "aten::is_nonzero"}))
      continue;
    if (name == "aten::isnan") ++asked;
    us += dur_us(evidence, id);
  }
  if (asked == 0) return std::nullopt;
  return mark(
      evidence, "anomaly_checks", us, Severity::medium,
      fmt::format("anomaly detection is on: {} gradients{} are searched for NaN, which takes {}, and "
                  "each operator of the forward pass keeps its Python stack; switch it off unless you "
                  "hunt a NaN",
                  rounded_text(evidence.per_step(static_cast<double>(asked))),
                  evidence.stepped ? " a step" : "", evidence.each(us)),
      us);
}

std::optional<Finding> tensor_from_list(const Evidence& evidence, const ThreadCalls& calls) {
  const auto made = [&](EventId next) { return calls.made_of_list(next) || calls.reads_list(next); };
  const auto short_ones = blame(evidence, Use::python, made);
  const auto long_ones = blame(evidence, Use::outside, made);
  const auto& most = total_us(short_ones) > total_us(long_ones) ? short_ones : long_ones;
  const double us = total_us(short_ones) + total_us(long_ones);
  return saving(
      evidence, "tensor_from_list", us,
      fmt::format("new tensors are made from Python lists for {}{}: each list's shape and type are read, and "
                  "then its numbers, one by one; make them once, or from an array (torch.from_numpy)",
                  evidence.each(us),
                  most.empty() || most.front().where.empty() ? "" : " at " + most.front().where));
}

}  // namespace

Found habit_findings(const Evidence& evidence, const ThreadCalls& calls) {
  const auto prints = printed(calls);
  return {anomaly_checks(evidence), tensor_from_list(evidence, calls),
          tensor_printing(evidence, calls, prints), item_reads(evidence, calls, prints)};
}

}  // namespace harness::trace
