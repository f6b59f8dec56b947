#include "harness/trace/host_regime.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/host_use.hpp"

#include <fmt/format.h>

namespace harness::trace {

std::string host_evidence(Regime regime, const Shares& shares) {
  switch (regime) {
    case Regime::input:
      return "the training thread " +
             told(shares,
                  {{Use::wait_input, "waits for its data loader, or reads and decodes samples itself"},
                   {Use::transform, "transforms and collates samples itself"}});
    case Regime::overhead:
      return "the training thread " +
             told(shares, {{Use::small_operators, "calls operators that cost more to call than to run"},
                           {Use::python, "runs Python between operators"},
                           {Use::outside, "does something that PyTorch does not see: no operator runs"}});
    case Regime::communication:
      return "the training thread waits for collectives";
    case Regime::memory:
      return "the training thread runs operators that move more than they compute (pointwise, normalization, "
             "pooling, indexing, optimizer)";
    case Regime::compute:
      return "the training thread runs matrix products, convolutions or attention";
    case Regime::unknown:
      break;
  }
  return "";
}

std::string_view host_change(Regime regime, const Shares& shares) {
  switch (regime) {
    case Regime::input:
      return heaviest(
          shares,
          {{Use::wait_input, "loading in more worker processes and ahead of time, until the wait is gone"},
           {Use::transform, "transforming in worker processes, a batch at a time, or once for all epochs"}});
    case Regime::overhead:
      return heaviest(
          shares,
          {{Use::small_operators, "fewer and larger operators: a larger batch, no loops over elements"},
           {Use::python, "fewer and larger operators, or a compiled model"},
           {Use::outside, "doing less often, or in another thread, what runs between the operators"}});
    case Regime::communication:
      return "overlapping communication with the backward pass, fewer bytes, or less imbalance between ranks";
    case Regime::memory:
      return "fused operators, narrower types and the memory layout that the operators like: fewer bytes";
    case Regime::compute:
      return "less arithmetic, or BF16 where the processor has a unit for it";
    case Regime::unknown:
      break;
  }
  return "";
}

RegimeVerdict host_silence(const Shares& shares, bool stepped) {
  RegimeVerdict judgement;
  if (!shares.doubt.empty()) {
    judgement.evidence = shares.doubt;
    judgement.would_change = "a recording with possible times";
  } else if (shares.window_us <= 0) {
    judgement.evidence = "the trace contains no time to judge";
  } else if (!shows_work(shares, true)) {
    judgement.evidence =
        "the training thread ran no operator in the judged time, and the trace has no device events";
    judgement.would_change = "recording with ProfilerActivity.CUDA as well, if you used a GPU";
  } else if (!shows_work(shares, stepped)) {
    judgement.evidence = fmt::format("the trace shows {} of one thread, without steps and without a device",
                                     us_text(shares.window_us));
    judgement.would_change = "recording a few steps";
  } else if (shares[Use::unknown_work] > 0) {
    judgement.evidence = "the names of the operators do not tell what kind of work they did";
  } else {
    judgement.evidence = "the training thread waits for other threads, and the trace does not show why";
    judgement.would_change = "recording on a quiet machine, or with fewer threads, such as OMP_NUM_THREADS=1";
  }
  return judgement;
}

}  // namespace harness::trace
