#include "harness/trace/kernels.hpp"

#include "harness/core/median.hpp"

#include <limits>

namespace harness::trace {
namespace {

constexpr std::array class_bounds_us{5.0, tiny_us, 100.0, 1000.0, 0.0};

std::size_t duration_class(double us) {
  std::size_t at = 0;
  while (at + 1 < class_bounds_us.size() && us >= class_bounds_us[at]) ++at;
  return at;
}

/// Adds up kernels by name, kind and duration.
class DurationsByKernel {
 public:
  explicit DurationsByKernel(const Trace& trace) : trace_(trace), row_of_(trace.names.size(), unseen) {
    for (const double bound : class_bounds_us) summary_.durations.push_back({.below_us = bound});
  }

  void add(const Event& event) {
    const double us = static_cast<double>(event.dur) / 1e3;
    auto& row = summary_.rows[row_of(event)];
    ++row.count;
    row.us += us;
    row.longest_us = std::max(row.longest_us, us);
    summary_.kind_us[static_cast<std::size_t>(row.kind)] += us;
    auto& same_length = summary_.durations[duration_class(us)];
    ++same_length.count;
    same_length.us += us;
    summary_.us += us;
    lengths_.push_back(us);
    begin_ = std::min(begin_, event.ts);
    end_ = std::max(end_, event.end());
  }

  KernelSummary finish() {
    summary_.count = static_cast<std::int64_t>(lengths_.size());
    std::ranges::stable_sort(summary_.rows, std::ranges::greater{}, &KernelRow::us);
    if (lengths_.empty()) return std::move(summary_);
    summary_.median_us = median(lengths_);
    const auto count = static_cast<double>(summary_.count);
    summary_.tiny_share =
        static_cast<double>(summary_.durations[0].count + summary_.durations[1].count) / count;
    if (end_ > begin_) summary_.per_ms = count / (static_cast<double>(end_ - begin_) / 1e6);
    return std::move(summary_);
  }

 private:
  static constexpr auto unseen = std::numeric_limits<std::size_t>::max();

  std::size_t row_of(const Event& event) {
    auto& at = row_of_[event.name];
    if (at == unseen) {
      at = summary_.rows.size();
      const auto name = trace_.name(event);
      summary_.rows.push_back({.name = std::string(name), .name_id = event.name, .kind = kernel_kind(name)});
    }
    return at;
  }

  const Trace& trace_;
  std::vector<std::size_t> row_of_;  // by NameId
  std::vector<double> lengths_;
  std::int64_t begin_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ = 0;
  KernelSummary summary_;
};

}  // namespace

double KernelSummary::product_share() const {
  const double work = us - kind_us[static_cast<std::size_t>(KernelKind::communication)];
  return work > 0 ? us *
                        (share(KernelKind::matrix_product) + share(KernelKind::convolution) +
                         share(KernelKind::attention)) /
                        work
                  : 0;
}

KernelSummary kernel_summary(const Trace& trace, const std::vector<bool>& inside) {
  DurationsByKernel tally(trace);
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind == Kind::kernel && (inside.empty() || inside[id])) tally.add(event);
  }
  return tally.finish();
}

}  // namespace harness::trace
