// Train with settings that a search has found.
//
// Question: A search over settings of ResNet-50 promises a gain. Do you believe half of it, all of it, or
// none, and what does a second measurement say?
//
// `tuneproof tune resnet50` searches batch size, learning rate, loader, threads and precision together, since
// each changes what the others bring: a larger batch needs another rate, and leaves a loader more time. The
// lowest of many noisy times is low by luck too, so what a search claims is more than what it has found. This
// row measures the claim: the standard settings against those in --config, in fresh processes, judged like
// any other tip.
//
// When it does not matter: where the claim was far larger than the noise. Then the row agrees with the
// search. When settings change the batch, the learning rate or the format, the training ends elsewhere: the
// validation losses of both, on seeds that no trial has used, stand beside the times.
//
// A run of the row trains as many images of 64 x 64 as the larger of the two batches has.

#include "workloads/training/tuned.hpp"

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/knobs.hpp"

namespace workloads::resnet50_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return training::tuned_trial(setup, point, resnet50::job(setup), training::resnet50_amount);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/tuned",
    .claim = "Settings that a search has found shorten the training of ResNet-50.",
    .source = {.title =
                   "Akiba et al., Optuna: A Next-generation Hyperparameter Optimization Framework, KDD 2019",
               .url = "https://arxiv.org/abs/1907.10902",
               .where = "the framework; the question is ours"},
    .runs = Runs::session,
    .axes = training::setting_axis,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance =
        {.relative = 0.2,
         .why = "the settings may ask for BF16, and batch norms over 32 values enlarge what is rounded"},
    .row_seconds = 180,
    .full_only = true,
});

}  // namespace workloads::resnet50_tuned
