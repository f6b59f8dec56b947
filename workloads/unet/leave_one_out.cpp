// What each kept change brings at the two ends of the ladder of the U-Net: taken from the best form, and
// alone in naive.
//
// Question: Does a change that brings something low on the ladder still bring it in the best form?
//
// A rung is measured against the rungs below it, so its row depends on the order of the rungs.
// `channels_last` changes the layout that every layer meets: what pays in one layout may not pay in the
// other. `from:best` compares the best form without the change to the best form; `from:naive` compares naive
// to naive with it.
//
// When it does not matter: where changes have nothing in common. Then all three figures of a change agree in
// seconds, though not in percent.
//
// `tuneproof run 'unet/*' --leave-one-out` measures the ladder and these rows, and prints them side by side.
// A row times a training step on batches of 4 images of 32 x 32.

#include "workloads/training/leave_one_out.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_leave_one_out {
namespace {

using namespace harness;
using training::Input;

Trial prepare(Setup& setup, const Point& point) {
  return unet::trial(setup, training::one_left_out(Input::images, point));
}

}  // namespace

extern constexpr Step step = checked(training::leave_one_out_step<Input::images>({
    .id = "unet/leave_one_out",
    .claim = "A change to the U-Net brings something in the best form, and something alone.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_leave_one_out
