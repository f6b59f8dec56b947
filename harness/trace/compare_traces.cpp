#include "harness/trace/compare_traces.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

/// Quantities by name in both traces.
class Ledger {
 public:
  void before(const std::string& name, double value) { entries_[name].before += value; }
  void after(const std::string& name, double value) { entries_[name].after += value; }

  /// Those that differ by more than `least`, by falling size of the difference.
  std::vector<TraceChange> changes(double least) const {
    std::vector<TraceChange> all;
    for (const auto& [name, entry] : entries_) {
      if (std::abs(entry.after - entry.before) <= least) continue;
      all.push_back({name, entry.before, entry.after});
    }
    std::ranges::stable_sort(all, std::ranges::greater{},
                             [](const TraceChange& change) { return std::abs(change.difference()); });
    return all;
  }

 private:
  struct Entry {
    double before = 0;
    double after = 0;
  };
  std::map<std::string, Entry> entries_;
};

double steps_of(bool per_step, std::int64_t steps) {
  return per_step && steps > 0 ? static_cast<double>(steps) : 1.0;
}

/// What each trace adds to the ledgers, divided by its own number of steps.
struct Ledgers {
  Ledger uses, ops, kernels, counts;

  void add(const Diagnosis& diagnosis, bool per_step, void (Ledger::*side)(const std::string&, double)) {
    const double judged = steps_of(per_step, diagnosis.judged_steps);
    const double all = steps_of(per_step, static_cast<std::int64_t>(diagnosis.host.steps.size()));
    for (std::size_t i = 0; i < use_count; ++i)
      (uses.*side)(std::string(to_string(static_cast<Use>(i))), diagnosis.shares.us[i] / judged);
    for (const auto& row : diagnosis.ops.rows)
      if (!row.device_row && !row.name.starts_with("ProfilerStep"))
        (ops.*side)(row.name, row.self_cpu_us / all);
    for (const auto& row : diagnosis.kernels.rows)
      (kernels.*side)(short_kernel_name(row.name), row.us / judged);
    (counts.*side)("kernels", static_cast<double>(diagnosis.kernels.count) / judged);
    const double covered = per_step ? std::max(1.0, all - (diagnosis.window.whole_file ? 0 : 1)) : 1;
    (counts.*side)("launches", static_cast<double>(diagnosis.host.launches.count) / covered);
    for (const auto& device : diagnosis.device)
      for (const auto& copy : device.copies)
        (counts.*side)("copies " + std::string(to_string(copy.direction)) + ", " +
                           std::string(to_string(copy.host_memory)),
                       static_cast<double>(copy.count) / covered);
    for (const auto& wait : diagnosis.host.waits)
      (counts.*side)(wait.call, static_cast<double>(wait.count) / covered);
  }
};

std::vector<std::string> only_in(const std::vector<Finding>& some, const std::vector<Finding>& others) {
  std::vector<std::string> ids;
  for (const auto& finding : some)
    if (std::ranges::find(others, finding.id, &Finding::id) == others.end()) ids.push_back(finding.id);
  return ids;
}

std::string worked(const Diagnosis& diagnosis) {
  if (!diagnosis.device_activity) return "a processor";
  return diagnosis.properties.name.empty() ? "a device" : diagnosis.properties.name;
}

std::string difference(const Diagnosis& after, const Diagnosis& before) {
  const auto now = worked(after);
  const auto then = worked(before);
  if (now == then || (after.device_activity && before.device_activity &&
                      (after.properties.name.empty() || before.properties.name.empty())))
    return "";
  return fmt::format("the first is of {}, the second of {}: they differ in more than in what was changed",
                     now, then);
}

}  // namespace

TraceChanges compare(const Diagnosis& after, const Diagnosis& before) {
  TraceChanges changes;
  changes.per_step = after.judged_steps > 0 && before.judged_steps > 0;
  changes.differ = difference(after, before);
  Ledgers ledgers;
  ledgers.add(before, changes.per_step, &Ledger::before);
  ledgers.add(after, changes.per_step, &Ledger::after);
  // What differs by less than this does not show in any figure that is printed.
  constexpr double least_us = 1;
  constexpr double least_count = 0.01;
  changes.uses = ledgers.uses.changes(least_us);
  changes.ops = ledgers.ops.changes(least_us);
  changes.kernels = ledgers.kernels.changes(least_us);
  changes.counts = ledgers.counts.changes(least_count);
  changes.findings_gone = only_in(before.findings, after.findings);
  changes.findings_new = only_in(after.findings, before.findings);
  return changes;
}

}  // namespace harness::trace
