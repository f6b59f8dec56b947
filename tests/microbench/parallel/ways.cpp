#include "ways.hpp"

#include "tests/made_up_step.hpp"

#include "microbench/parallel/parallel_training.hpp"

#include <stdexcept>
#include <string>

namespace ways {
namespace {

using namespace harness;
using namespace microbench::parallel;

enum Way {
  each,
  flat,
  one_bucket,
  bucket_each,
  bucket_views,
  find_unused,
  no_sync,
  uneven,
  all_rows,
  forgotten_division,
  forgotten_exchange,
  forgotten_rank
};

constexpr Axis axes[] = {
    {.name = "way",
     .about = "how gradients are averaged",
     .labels = {"each", "flat", "one_bucket", "bucket_each", "bucket_views", "find_unused", "no_sync",
                "uneven", "all_rows", "forgotten_division", "forgotten_exchange", "forgotten_rank"}}};

DdpOptions options_of(Way way) {
  DdpOptions options;
  if (way == bucket_each) options.bucket_bytes = 1;
  options.gradient_as_bucket_view = way == bucket_views;
  options.find_unused = way == find_unused;
  return options;
}

void sum_without_division(const Training& s) {
  auto gradients = s.naive.gradients();
  for (auto& gradient : gradients) {
    std::vector<at::Tensor> one{gradient};
    s.rank->group()->allreduce(one)->wait();
  }
}

/// Two backward passes, of which the second exchanges what both have left.
void two_pieces(const Training& s, Ddp& ddp) {
  const auto mine = s.my_rows();
  const auto middle = (mine.first + mine.end) / 2;
  Ddp::backward_alone(s.naive.loss({mine.first, middle}, s.rank->size()));
  ddp.backward(s.naive.loss({middle, mine.end}, s.rank->size()));
}

Rows rows_of(Way way, const Training& s) {
  const auto all = s.naive.rows();
  if (way == all_rows) return {0, all};
  if (way != uneven) return s.my_rows();
  return s.rank->number() == 0 ? Rows{0, all - 3} : Rows{all - 3, all};
}

void train(Way way, const Training& s, Ddp* ddp) {
  if (way == no_sync) return two_pieces(s, *ddp);
  const auto loss = s.naive.loss(rows_of(way, s), way == all_rows ? 1 : s.rank->size());
  if (ddp != nullptr) return ddp->backward(loss);
  loss.backward();
  if (way == forgotten_division) return sum_without_division(s);
  if (way == forgotten_exchange) return;
  if (way == each) return average_each(*s.rank, s.naive.gradients());
  average_flat(*s.rank, s.naive.gradients());
}

Trial prepare(Setup& setup, const Point& point) {
  constexpr double fp64 = 1e-12;
  const auto way = static_cast<Way>(point["way"]);
  const auto s = std::make_shared<const Training>(
      setup, NetShape{.layers = 5, .width = 32, .rows = 16, .type = at::kDouble});
  const bool by_reducer = way >= one_bucket && way <= no_sync;
  const auto ddp = by_reducer ? std::make_shared<Ddp>(s->ddp(Form::naive, options_of(way))) : nullptr;
  const auto form = [s, way, ddp] {
    if (way == forgotten_rank && s->rank->number() == 1) throw std::runtime_error("forgot to come");
    train(way, *s, ddp.get());
  };
  auto trial = training_trial(s, form, form, fp64);
  trial.answer = [s](Form) { return checked_gradient(s->naive, s->truth, fp64); };
  return trial;
}

constexpr Step step = tests::made_up_step("ways/gradient", axes, prepare);

}  // namespace

Steps steps() {
  static constexpr const Step* all[] = {&step};
  return all;
}

run::StepAt row(std::string_view way) {
  return run::find_row(steps(), "ways/gradient/way:" + std::string(way), 0);
}

}  // namespace ways
