// Let torch's compiler write the whole training step: forward, backward and AdamW as one function.
//
// Question: The form below has every kept change of the checklists. What can a compiler still save that sees
// the whole step of ResNet-50?
//
// Behind each of the 53 convolutions lie a batch norm, a ReLU and sometimes a sum, which read and write all
// channels again, forward and backward. The compiler joins them. It calls the library for the convolutions
// themselves.
//
// What it costs: minutes of compiling, once for each machine and each shape, which the row names. When it
// does not matter: where convolutions take nearly all of the time.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// the compiled step. `explain --assembly resnet50/compiled` shows what the compiler wrote. It is a branch: it
// needs Python with torch and a C++ compiler, without which the row is skipped.
//
// The function in Python: workloads/resnet50/python.cpp, workloads/training/compiled_step.cpp

#include "workloads/training/rungs/compiled.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_compiled {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::compiled);
}

}  // namespace

extern constexpr Step step = checked(training::compiled_step({
    .id = "resnet50/compiled",
    .claim = "A training step of ResNet-50 that torch's compiler has compiled is shorter.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_compiled
