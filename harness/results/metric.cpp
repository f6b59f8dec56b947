#include "harness/results/metric.hpp"

namespace harness::results {
namespace {

constexpr std::string_view tail_metric = "p99_over_median";
constexpr std::string_view figure_metric = "first_figure";

}  // namespace

std::string_view metric_of(const Measurement& measured) {
  if (measured.statistic == Statistic::tail) return tail_metric;
  if (measured.statistic == Statistic::figure) return figure_metric;
  return measured.timer == Timer::event ? "gpu_time" : "wall_time";
}

Statistic statistic_from(std::string_view metric) {
  if (metric == tail_metric) return Statistic::tail;
  return metric == figure_metric ? Statistic::figure : Statistic::median;
}

std::string_view timer_name(Timer timer) { return timer == Timer::event ? "cuda_event" : "steady_clock"; }

}  // namespace harness::results
