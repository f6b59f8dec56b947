// Train with settings that a search has found.
//
// Question: Suppose that the U-Net's best trial beats plain advice by a tenth. Is that the setting, or the
// luck of one measurement among forty?
//
// `tuneproof tune unet` searches batch size, learning rate, loader, threads and precision together, since
// each changes what the others bring: a larger batch needs another rate, and leaves a loader more time. The
// lowest of many noisy times is low by luck too, so what a search claims is more than what it has found. This
// row measures the claim: the standard settings against those in --config, in fresh processes, judged like
// any other tip.
//
// When it does not matter: where the claim was far larger than the noise. Then the row agrees with the
// search. When settings change the batch, the learning rate or the format, the training ends elsewhere: the
// validation losses of both, on seeds that no trial has used, stand beside the times.
//
// A run of the row trains as many images of 32 x 32 as the larger of the two batches has.

#include "workloads/training/tuned.hpp"

#include "workloads/training/knobs.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads::unet_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return training::tuned_trial(setup, point, unet::job(setup), training::unet_amount);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/tuned",
    .claim = "Settings that a search has found shorten the training of the U-Net.",
    .source = {.title =
                   "Akiba et al., Optuna: A Next-generation Hyperparameter Optimization Framework, KDD 2019",
               .url = "https://arxiv.org/abs/1907.10902",
               .where = "the framework; the question is ours"},
    .runs = Runs::session,
    .axes = training::setting_axis,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 5e-2,
                  .why = "the settings may ask for BF16, which keeps 8 bits of each factor"},
    .row_seconds = 120,
    .full_only = true,
});

}  // namespace workloads::unet_tuned
