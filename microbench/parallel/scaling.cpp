// Add ranks for a larger batch rather than for the same one.
//
// Question: Two ranks instead of one. What share of a twofold speedup is left when the exchange is paid?
//
// With a fixed batch N ranks have 1 / N of the work each, and the exchange of gradients stays as large as it
// was. If nothing hides, a step takes t / N + s, with the step t of one rank and the exchange s. That is
// Amdahl's law: the speedup ends at t / s however many ranks there are. With a fixed share each rank does
// what one rank did before, and the batch grows with the ranks: a step takes t + s, and the efficiency is t
// / (t + s) at any N. So more ranks pay as long as the batch may grow. Efficiency is the speedup divided by
// N.
//
// When it does not matter: if s is small beside t / N, with few parameters and many rows. When it hurts: with
// a fixed share a step always takes longer than on one rank; what is gained is N times the samples in it.
// Ranks on one machine also share its caches, memory and clock, which no formula above has.
//
// A row is a forward and a backward pass through 4 layers of 256 by 256. `batch:fixed_total`: rank 0 alone
// with all 1024 rows against all ranks with their shares; `batch:fixed_share`: rank 0 alone with its share
// against all ranks with theirs. Figures: the exchange alone, the efficiency, and the efficiency that the
// exchange leaves by the formulas above. They are medians of a few passes in the rehearsal.
//
// Answer: t / (t + 2s) of it at a fixed batch, with a step t of one rank and an exchange s: two thirds, say,
// if the exchange takes a quarter of the step. The figure "efficiency" gives yours. With a fixed share it is
// t / (t + s).

#include "harness/core/median.hpp"
#include "harness/core/slot.hpp"

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_scaling {

using namespace harness;
using namespace parallel;

constexpr Axis axes[] = {
    {.name = "batch",
     .about = "what stays as it is when ranks are added; fixed_total: the batch, fixed_share: that of a rank",
     .labels = {"fixed_total", "fixed_share"}}};

struct Scaling : Training {
  Scaling(Setup& setup, bool share_is_fixed)
      : Training(setup, {.layers = 4, .width = 256, .rows = 1024}), fixed_share(share_is_fixed) {}

  bool is_first() const { return rank->number() == 0; }
  void exchange(Form form) const { average_flat(*rank, of(form).gradients()); }
  /// Rank 0 alone; the others go on at once.
  void alone() const {
    if (!is_first()) return;
    const auto loss = fixed_share ? this->loss(Form::naive) : naive.loss({0, naive.rows()}, 1);
    loss.backward();
  }
  void together() const {
    loss(Form::optimized).backward();
    exchange(Form::optimized);
  }

  bool fixed_share;
};

/// All ranks call it, and begin each pass together.
double median_seconds(const Scaling& s, const std::function<void()>& pass) {
  constexpr int passes = 9;
  std::vector<double> seconds;
  for (int i = 0; i < passes; ++i) {
    s.naive.forget_gradients();
    s.optimized.forget_gradients();
    s.rank->group()->barrier()->wait();
    seconds.push_back(host_seconds(pass));
  }
  return median(std::move(seconds));
}

std::vector<Figure> figures_of(const Scaling& s) {
  const auto one = median_seconds(s, [&] { s.alone(); });
  const auto all = median_seconds(s, [&] { s.together(); });
  s.together();
  std::vector<double> exchanges;
  for (int i = 0; i < 9; ++i) exchanges.push_back(host_seconds([&] { s.exchange(Form::optimized); }));
  const auto exchange = median(std::move(exchanges));
  const auto ranks = s.fixed_share ? 1.0 : static_cast<double>(s.rank->size());
  return {{"efficiency", "", 1, one / (ranks * all)},
          {"efficiency that the exchange leaves", "", 1, one / ranks / (one / ranks + exchange)},
          {"exchange alone", "s", 0, exchange}};
}

/// Of the naive form: with a fixed share what the ranks would have computed; else rank 0's alone.
Answer answer_of(const Scaling& s, Form form) {
  if (form == Form::naive && s.fixed_share) {
    if (!s.is_first()) s.loss(Form::naive).backward();
    s.exchange(Form::naive);
  } else if (form == Form::naive && !s.is_first()) {
    return std::vector<float>();
  }
  return checked_gradient(s.of(form), s.truth, single);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const Scaling>(setup, point["batch"] == 1);
  auto trial = training_trial(s, [s] { s->alone(); }, [s] { s->together(); });
  trial.answer = [s](Form form) { return answer_of(*s, form); };
  trial.figures = [s] { return figures_of(*s); };
  return trial;
}

extern constexpr Step step = checked({
    .id = "parallel/scaling",
    .claim = "With more ranks the same batch takes less time, by less than their number; a batch for each "
             "takes more.",
    .sides = {"one rank", "all ranks"},
    .source = {.title = "G. M. Amdahl, Validity of the single processor approach to achieving large scale "
                        "computing capabilities",
               .url = "https://doi.org/10.1145/1465482.1465560",
               .where = "the whole"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "batch:fixed_total",
                    .hurts_at = "batch:fixed_share"},
    .tolerance = single_sums,
    .row_seconds = 15,
});

}  // namespace microbench::parallel_scaling
