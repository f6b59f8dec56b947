// Check on the host what the host knows, instead of reading the device.
//
// Question: Two numbers are read back for a check. Does it show, while other operators of the layer wait as
// well?
//
// The layer checks that the first graph begins at node 0 and the last one ends at the last node, each time it
// builds a block-diagonal matrix. It takes both numbers from a tensor: two copies to the host, and two waits
// for everything queued before them. The same can be checked with what needs no device: the shapes of the
// tensors and the sizes that the batch was put together from. No check is dropped.
//
// When it does not matter: while other operators of the layer wait for the device anyway (compare no_item),
// and on a CPU, where reading a value is reading memory.
//
// Promise: the same bits.

#include "workloads/stgym/measure/trial.hpp"

namespace workloads::stgym_no_host_checks {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::no_host_checks);
}

}  // namespace

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/no_host_checks",
    .claim = "Range checks of what the host knows, instead of values read back from the device, shorten a "
             "training step.",
    .source = {.title = "PyTorch, performance tuning guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Avoid unnecessary CPU-GPU synchronization"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
}));

}  // namespace workloads::stgym_no_host_checks
