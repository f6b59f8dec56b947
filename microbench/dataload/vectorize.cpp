// Transform a batch in one go instead of sample by sample.
//
// Question: By what factor is a batch of 256 samples of 64 numbers faster at once than sample by sample, and
// how much of that is arithmetic?
//
// Each call of a tensor operator has a price that does not depend on the tensor: it is looked up, its shapes
// are checked, its result gets memory. That is about a microsecond, and a small sample is computed in a tenth
// of that. A loop over the samples pays the price for each; one call on the whole batch pays it once and has
// long rows to run along. Indexing a sample out of the batch is such a call too. In Python each call costs
// several times as much, so the same loop loses more.
//
// When it does not matter: with samples so large that computing them hides the price of the calls; with
// samples of different shapes, which must be padded first, and what is padded is computed for nothing.
//
// A row measures centering and scaling a batch of samples of 64 numbers: one after the other, with views of
// each sample, or by the same three operators on the batch. The numbers are the same to the bit.
//
// Answer: Of the order of a hundred: 256 samples call seven operators each, views included, the batch three
// in all. On two cores of an EPYC the factor was 124 (commit 03cee4c). The arithmetic of 64 numbers is a
// tenth of a call, so nearly all of the factor is calls.

#include "microbench/dataload/transforms.hpp"
#include "microbench/tip.hpp"

namespace microbench::dataload_vectorize {

constexpr Axis axes[] = {{.name = "batch", .about = "samples of 64 numbers", .values = {16, 256}}};
constexpr std::int64_t width = 64;

struct State {
  at::Tensor batch, mean, scale, out;
};

/// For one sample or for a batch of them: both end in the width.
void transform(const at::Tensor& in, const State& s, const at::Tensor& out) {
  out.copy_(at::sub(in, s.mean).mul_(s.scale));
}

Trial prepare(Setup& setup, const Point& point) {
  const auto samples = point["batch"];
  const auto s = std::make_shared<State>();
  s->batch = random_features(samples, width, setup.seed);
  s->mean = s->batch.mean(0);
  s->scale = s->batch.square().mean(0).rsqrt();
  s->out = at::empty_like(s->batch);

  return {
      .naive =
          [s, samples] {
            for (std::int64_t i = 0; i < samples; ++i)
              transform(s->batch.select(0, i), *s, s->out.select(0, i));
          },
      .optimized = [s] { transform(s->batch, *s, s->out); },
      .clear = [s] { s->out.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/vectorize",
    .claim = "One call on a batch is faster than a call for each of its samples.",
    .claim_ids = "data-vectorize",
    .sides = {"sample by sample", "whole batch"},
    .source = data_loading("Loading Batched and Non-Batched Data, Disable automatic batching"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::dataload_vectorize
