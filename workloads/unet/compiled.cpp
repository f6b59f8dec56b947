// Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
//
// Question: The form below has every kept change of the checklists. What can a compiler still save that sees
// the whole step of the U-Net?
//
// Behind each convolution lie a batch norm and a ReLU, which read and write all channels again, forward and
// backward. The compiler joins them. It calls the library for the convolutions themselves, which may choose
// another layout for them than the form below has.
//
// What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
// does not matter: where convolutions take nearly all of the time, as in this network.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// the compiled step. `explain --assembly unet/compiled` shows what the compiler wrote. It is a branch: it
// needs Python with torch and a C++ compiler, without which the row is skipped.
//
// The function in Python: workloads/unet/python.cpp, workloads/training/compiled_step.cpp

#include "workloads/training/rungs/compiled.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_compiled {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::compiled);
}

}  // namespace

extern constexpr Step step = checked(training::compiled_step({
    .id = "unet/compiled",
    .claim = "A training step of the U-Net that torch's compiler has compiled is shorter.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_compiled
