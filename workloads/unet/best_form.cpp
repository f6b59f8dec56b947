// What a beginner writes against the whole ladder of the U-Net.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for the U-Net on your
// machine, in FP32?
//
// Each change saves passes over memory, calls or waits; none of them saves a product. What is left of a step
// when all are made is the products themselves, which only a shorter format makes shorter: that branch is a
// row of its own.
//
// When it does not matter: where products already took nearly all of the time. On a CPU nothing is copied to
// a device and nobody waits for one, which is what some of the rungs save.
//
// The row times a training step on batches of 4 images of 32 x 32: no rung against every rung that the chain
// keeps.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_best_form {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, {.naive = {}, .optimized = training::best()});
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/best_form",
    .claim = "The kept changes together shorten a training step of the U-Net.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "all of it"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_best_form
