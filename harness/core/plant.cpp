#include "harness/core/plant.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <chrono>
#include <cmath>
#include <utility>

namespace harness::inline core {
namespace {

std::function<void()> slowed(std::function<void()> run, double share, const Slowdown& slowdown) {
  if (share <= 0) return run;
  return [run = std::move(run), share, slowdown] {
    slowdown.begin();
    run();
    slowdown.end(share);
  };
}

std::function<void(Form)> always(Form form, std::function<void(Form)> act) {
  if (!act) return act;
  return [form, act = std::move(act)](Form) { act(form); };
}

/// Whatever the form is called, it is the naive one, or the one that is right where the naive one may not be;
/// `clear` and the buffers are the set's own and stay.
void make_forms_the_same(Trial& trial) {
  const auto form = trial.truth ? Form::optimized : Form::naive;
  trial.truth ? trial.naive = trial.optimized : trial.optimized = trial.naive;
  trial.before_slot = always(form, std::move(trial.before_slot));
  trial.warm_up = always(form, std::move(trial.warm_up));
  trial.answer = [form, answer = std::move(trial.answer)](Form) { return answer(form); };
  trial.figures = {};  // they would tell the two forms apart
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Slowdown busy_slowdown(std::function<void()> wait, const SecondsNow& now) {
  const auto begun = std::make_shared<double>(0);
  return {.begin = [begun, now] { *begun = now(); },
          .end =
              [begun, now, wait = std::move(wait)](double share) {
                if (wait) wait();
                const auto ended = now();
                const auto until = ended + share * (ended - *begun);
                while (now() < until) continue;
              }};
}

Trial planted(Trial trial, const Plant& plant, const Slowdown& slowdown) {
  if (plant.same_forms) make_forms_the_same(trial);
  if (trial.whole_slot && (plant.slow_naive > 0 || plant.slow_optimized > 0))
    throw Skip("cannot slow a pipelined form: its work continues meanwhile");
  trial.naive = slowed(std::move(trial.naive), plant.slow_naive, slowdown);
  trial.optimized = slowed(std::move(trial.optimized), plant.slow_optimized, slowdown);
  return trial;
}

namespace {

constexpr double false_claims_target = 0.01;
constexpr double power_target = 0.95;

}  // namespace

double rate_upper_bound(int hits, int trials, double confidence) {
  if (hits >= trials) return 1;
  return boost::math::binomial::find_upper_bound_on_p(trials, hits, 1 - confidence);
}

double rate_lower_bound(int hits, int trials, double confidence) {
  if (hits <= 0 || trials <= 0) return 0;
  return boost::math::binomial::find_lower_bound_on_p(trials, hits, 1 - confidence);
}

bool accepts_false_claims(int claims, int comparisons) {
  return rate_upper_bound(claims, comparisons) <= false_claims_target;
}

bool accepts_power(int found, int planted) { return rate_lower_bound(found, planted) >= power_target; }

double margin_noise(std::span<const double> aa_ratios) {
  if (aa_ratios.empty()) return 0;
  std::vector<double> distances;
  for (const auto ratio : aa_ratios) distances.push_back(std::abs(ratio - 1));
  std::ranges::sort(distances);
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(distances.size())));
  return distances[rank - 1];
}

double calibrated_margin(double delta, double nu) { return std::max(delta, 2 * nu); }

}  // namespace harness::inline core
