// What the steps on data parallel training share: a replica for each form, and a gradient that must be one
// process's.
#pragma once

#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/reduce.hpp"

#include "microbench/parallel/replica.hpp"
#include "microbench/tip.hpp"

namespace microbench::parallel {

using harness::average_each;
using harness::average_flat;
using harness::Ddp;
using harness::DdpOptions;

constexpr harness::Source ddp_notes(std::string_view where) {
  return {"PyTorch, Distributed Data Parallel", "https://docs.pytorch.org/docs/stable/notes/ddp.html", where};
}

constexpr harness::Source ddp_api(std::string_view where) {
  return {"PyTorch, DistributedDataParallel",
          "https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
          where};
}

/// One set of a row on one rank.
struct Training {
  Training(harness::Setup& setup, const NetShape& shape)
      : rank(harness::rank_of(setup)), naive(setup, shape), optimized(setup, shape), truth(naive.truth()) {}

  const Replica& of(harness::Form form) const { return form == harness::Form::naive ? naive : optimized; }
  Ddp ddp(harness::Form form, const DdpOptions& options) const {
    return {*rank, of(form).parameters(), options};
  }
  Rows my_rows() const { return even_rows(naive.rows(), rank->number(), rank->size()); }
  /// Forward over the rows that are this rank's.
  at::Tensor loss(harness::Form form) const { return of(form).loss(my_rows(), rank->size()); }

  std::shared_ptr<const harness::Rank> rank;
  Replica naive, optimized;
  Replica::Truth truth;
};

/// How far a gradient may lie from one process's, as a share of its largest value.
constexpr double single = 1e-5;  // sums of FP32 numbers in another order
constexpr harness::Tolerance single_sums{.relative = single,
                                         .why = "sums over the ranks and over rows come in another order"};

/// The two forms, each of which leaves the whole batch's gradient in its replica.
inline harness::Trial training_trial(const std::shared_ptr<const Training>& s, std::function<void()> naive,
                                     std::function<void()> optimized, double tolerance = single) {
  const auto from_scratch = [s](harness::Form form, std::function<void()> pass) {
    return [s, form, pass = std::move(pass)] {
      s->of(form).forget_gradients();
      pass();
    };
  };
  return {
      .naive = from_scratch(harness::Form::naive, std::move(naive)),
      .optimized = from_scratch(harness::Form::optimized, std::move(optimized)),
      .clear =
          [s] {
            s->naive.forget_gradients();
            s->optimized.forget_gradients();
          },
      .answer =
          [s, tolerance](harness::Form form) { return checked_gradient(s->of(form), s->truth, tolerance); },
  };
}

/// Two ways to exchange the same gradients: each form is a forward and a backward pass through its own.
inline harness::Trial ddp_trial(const std::shared_ptr<const Training>& s, Ddp naive, Ddp optimized,
                                double tolerance = single) {
  const auto pass = [&s](harness::Form form, Ddp ddp) {
    return [s, form, ddp = std::make_shared<Ddp>(std::move(ddp))] { ddp->backward(s->loss(form)); };
  };
  return training_trial(s, pass(harness::Form::naive, std::move(naive)),
                        pass(harness::Form::optimized, std::move(optimized)), tolerance);
}

}  // namespace microbench::parallel
