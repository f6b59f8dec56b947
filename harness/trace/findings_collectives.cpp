// Findings about the exchange of gradients between ranks: what of it stands alone, and what need not be sent.
#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"
#include "harness/trace/collectives.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace harness::trace {
namespace {

std::optional<Finding> exposed_communication(const Evidence& evidence) {
  const double us = evidence.shares[Use::communication];
  const bool of_host = evidence.timeline.of_host;
  return saving(
      evidence, "exposed_communication", us,
      fmt::format("{} for {}{}{}",
                  of_host ? "the training thread communicates, or waits for it," : "communication runs",
                  evidence.each(us), of_host ? "" : " with no kernel beside it",
                  most_by(blame(evidence, Use::communication))));
}

/// DistributedDataParallel's first bucket, which it makes this small so that the exchange begins early.
constexpr std::int64_t first_bucket = std::int64_t{1} << 20;
/// The first bucket, what is left for the last, and as many for each of four modules: beyond, small is the
/// rule.
constexpr double many_small = 10;

/// Time in which nothing but the chosen exchanges runs. A thread's trace does not say for which of them it
/// waits: then their part of all exchanges, by number.
double alone_us(const Evidence& evidence, const std::vector<Exchange>& exchanges,
                const std::unordered_set<EventId>& chosen) {
  if (evidence.timeline.of_host)
    return evidence.shares[Use::communication] *
           share(static_cast<double>(chosen.size()), static_cast<double>(exchanges.size()));
  return total_us(blame(evidence, Use::communication, [&](EventId kernel) {
    return lies_in(evidence.trace, evidence.trace.nesting.asker[kernel],
                   [&](EventId id) { return chosen.contains(id); });
  }));
}

std::optional<Finding> small_buckets(const Evidence& evidence, const std::vector<Exchange>& exchanges) {
  std::unordered_set<EventId> small;
  std::vector<double> sizes;
  for (const auto& exchange : exchanges) {
    if (exchange.bytes) sizes.push_back(static_cast<double>(*exchange.bytes));
    if (exchange.bytes && *exchange.bytes < first_bucket) small.insert(exchange.id);
  }
  const double each_step = evidence.per_step(static_cast<double>(small.size()));
  if (each_step < many_small || 2 * small.size() < sizes.size()) return std::nullopt;
  const double us = alone_us(evidence, exchanges, small);
  return saving(
      evidence, "small_buckets", us,
      fmt::format("{} all-reduces{} exchange less than 1 MiB of gradients each (in the median {}) "
                  "and run alone for {}; each pays the fixed part of a message: raise bucket_cap_mb, or "
                  "exchange gradients in one buffer",
                  rounded_text(each_step), evidence.stepped ? " a step" : "", size_text(median(sizes)),
                  evidence.each(us)));
}

std::optional<Finding> synced_accumulation(const Evidence& evidence, const std::vector<Exchange>& exchanges) {
  const auto [exchanged, updates] = backward_passes(evidence, exchanges);
  if (exchanged <= updates) return std::nullopt;
  const auto passes = static_cast<double>(exchanged);
  const double us = evidence.shares[Use::communication] * (passes - static_cast<double>(updates)) / passes;
  return saving(
      evidence, "synced_accumulation", us,
      fmt::format("{} backward passes exchange gradients for {} optimizer steps; only the last one before a "
                  "step needs to: put the others into no_sync()",
                  exchanged, updates));
}

/// Buffers are sent before the forward pass may begin, and the host waits for that.
std::optional<Finding> buffer_broadcasts(const Evidence& evidence) {
  const auto& trace = evidence.trace;
  const auto is_forward = [&](EventId id) { return trace.name(id) == "DistributedDataParallel.forward"; };
  const auto in_forward = [&](EventId id) { return lies_in(trace, id, is_forward); };
  std::size_t count = 0;
  double us = 0;
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (!evidence.judged[id]) continue;
    if (trace.name(event) == "c10d::broadcast_" && in_forward(id)) ++count;
    if (evidence.timeline.of_host && trace.name(event) == "gloo:broadcast") us += us_of(event.dur);
  }
  if (count == 0) return std::nullopt;
  if (!evidence.timeline.of_host)
    us = total_us(blame(evidence, Use::communication,
                        [&](EventId kernel) { return in_forward(trace.nesting.asker[kernel]); }));
  return saving(
      evidence, "buffer_broadcasts", us,
      fmt::format("DistributedDataParallel sends its buffers from rank 0 before each forward pass, for {}; "
                  "if each rank may keep its own, pass broadcast_buffers=False",
                  evidence.each(us)));
}

}  // namespace

Found collective_findings(const Evidence& evidence) {
  const auto exchanges = gradient_exchanges(evidence);
  return {exposed_communication(evidence), small_buckets(evidence, exchanges),
          synced_accumulation(evidence, exchanges), buffer_broadcasts(evidence)};
}

}  // namespace harness::trace
