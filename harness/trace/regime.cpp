#include "harness/trace/regime.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/host_use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::trace {
namespace {

/// A use that makes up a regime: what it is in words, and what would change it.
struct Ground {
  Use use;
  std::string_view words;
  std::string_view change;
};

constexpr std::string_view less_communication =
    "overlapping communication with the backward pass, fewer bytes, or less imbalance between ranks";

/// Of a training thread, which "waits for collectives".
std::vector<Ground> host_grounds(Regime regime) {
  switch (regime) {
    case Regime::input:
      return {{Use::wait_input, "waits for its data loader, or reads and decodes samples itself",
               "loading in more worker processes and ahead of time, until the wait is gone"},
              {Use::transform, "transforms and collates samples itself",
               "transforming in worker processes, a batch at a time, or once for all epochs"}};
    case Regime::overhead:
      return {
          {Use::small_operators, "calls operators that cost more to call than to run",
           "fewer and larger operators: a larger batch, no loops over elements"},
          {Use::python, "runs Python between operators", "fewer and larger operators, or a compiled model"},
          {Use::outside, "does something that PyTorch does not see: no operator runs",
           "doing less often, or in another thread, what runs between the operators"}};
    case Regime::communication:
      return {{Use::communication, "waits for collectives", less_communication}};
    case Regime::memory:
      return {
          {Use::memory,
           "runs operators that move more than they compute (pointwise, normalization, pooling, indexing, "
           "optimizer)",
           "fused operators, narrower types and the memory layout that the operators like: fewer bytes"}};
    case Regime::compute:
      return {{Use::arithmetic, "runs matrix products, convolutions or attention",
               "less arithmetic, or BF16 where the processor has a unit for it"}};
    case Regime::unknown:
      break;
  }
  return {};
}

/// The verdict "cannot say", and why.
RegimeVerdict host_silence(const Shares& shares, bool stepped) {
  if (!shares.doubt.empty())
    return {.evidence = shares.doubt, .would_change = "a recording with possible times"};
  if (shares.window_us <= 0) return {.evidence = "the trace contains no time to judge"};
  if (!shows_work(shares, true))
    return {.evidence =
                "the training thread ran no operator in the judged time, and the trace has no device events",
            .would_change = "recording with ProfilerActivity.CUDA as well, if you used a GPU"};
  if (!shows_work(shares, stepped))
    return {.evidence = fmt::format("the trace shows {} of one thread, without steps and without a device",
                                    us_text(shares.window_us)),
            .would_change = "recording a few steps"};
  if (shares[Use::unknown_work] > 0)
    return {.evidence = "the names of the operators do not tell what kind of work they did"};
  return {.evidence =
              "the training thread waits for other threads or a processor, and the trace does not show why",
          .would_change = "recording on a quiet machine, or with fewer threads, such as OMP_NUM_THREADS=1"};
}

struct Part {
  Regime regime;
  double share;
};

std::array<Part, 5> parts(const Balance& balance) {
  return {{{Regime::input, balance.input},
           {Regime::overhead, balance.overhead},
           {Regime::communication, balance.communication},
           {Regime::memory, balance.memory},
           {Regime::compute, balance.compute}}};
}

double share_of(const Balance& balance, Regime regime) {
  for (const auto& part : parts(balance))
    if (part.regime == regime) return part.share;
  return balance.unknown;
}

/// A share of the time that the evidence names, as findings begin there.
constexpr double worth_saying = 0.02;

std::vector<Ground> device_grounds(Regime regime, const Shares& shares) {
  const bool graphs = !shares.may_lack_graphs();
  switch (regime) {
    case Regime::input:
      return {{Use::wait_input, "the device is idle until the host has its next batch",
               "loading batches in parallel and ahead of time, until the wait is gone"},
              {Use::copy_in, "the device does nothing but receive its input",
               "copies that overlap with work, which takes pinned host memory, or fewer bytes"}};
    case Regime::overhead:
      return {{Use::wait_sync, "the host waited for the device, which then had nothing queued",
               "reading results back less often, so that the host can run ahead"},
              {Use::wait_launch, "the device is idle until the host launches the next piece",
               graphs ? "less work of the host between its launches"
                      : "fewer and larger kernels (fusion, foreach, larger batch) or a CUDA graph"},
              {Use::between, "the device spends its time in the gaps between short pieces of work",
               graphs ? "fewer and larger kernels (fusion, larger batch)"
                      : "fewer and larger kernels (fusion, larger batch) or a CUDA graph"},
              {Use::host_operator, "the device is idle while the host runs operators itself",
               "running these operators on the device, or less often"},
              {Use::outside, "the device is idle while the host calls nothing for a millisecond or longer",
               "doing less often, or in another thread, what the host does between its launches"},
              {Use::copy_model, "the device does nothing but receive what the model copies to it",
               "making or keeping these tensors on the device, or copying them once"},
              {Use::copy_out, "the device does nothing but send results to the host",
               "keeping intermediate results on the device"}};
    case Regime::communication:
      return {{Use::communication, "the device does nothing but communicate", less_communication}};
    case Regime::memory:
      return {
          {Use::memory,
           "the device runs kernels that move more than they compute (pointwise, normalization, indexing, "
           "thin products)",
           "fewer bytes: fusing neighboring operators, narrower types, and more rows at once (a larger "
           "batch) where products are thin"}};
    case Regime::compute:
      return {
          {Use::arithmetic, "the device runs matrix products, convolutions or attention",
           shares.maker == Maker::nvidia
               ? "tensor cores (TF32, mixed precision), or less arithmetic; this is where a device should be"
               : "narrower types (mixed precision), or less arithmetic; this is where a device should be"}};
    case Regime::unknown:
      break;
  }
  return {};
}

/// The one that weighs most.
const Ground& heaviest(const Shares& shares, const std::vector<Ground>& grounds) {
  return *std::ranges::max_element(grounds, {}, [&](const Ground& ground) { return shares[ground.use]; });
}

/// Their words, the largest first, each with its share where there are several.
std::string told(const Shares& shares, std::vector<Ground> grounds) {
  const double judged_us = shares.window_us - shares[Use::start_up];
  const std::string most(heaviest(shares, grounds).words);
  std::erase_if(grounds, [&](const Ground& ground) { return shares[ground.use] / judged_us < least_shown; });
  if (grounds.size() < 2) return most;
  std::ranges::stable_sort(grounds, std::ranges::greater(),
                           [&](const Ground& ground) { return shares[ground.use]; });
  std::string text;
  for (const auto& ground : grounds)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", or ", ground.words,
                        share_text(shares[ground.use] / judged_us));
  return text;
}

}  // namespace

std::string_view to_string(Regime regime) {
  constexpr std::array<std::string_view, 6> names{"input-bound",         "overhead/sync-bound",
                                                  "communication-bound", "memory-bound",
                                                  "compute-bound",       "cannot say"};
  return names[static_cast<std::size_t>(regime)];
}

Balance balance_of(const Shares& shares) {
  const double judged_us = shares.window_us - shares[Use::start_up];
  const auto share = [&](Use use) { return judged_us > 0 ? shares[use] / judged_us : 0; };
  Balance balance;
  balance.input = share(Use::wait_input) + share(Use::copy_in) + share(Use::transform);
  const double around =
      share(Use::small_operators) + share(Use::python) + share(Use::outside) + share(Use::host_operator);
  balance.overhead = share(Use::wait_sync) + share(Use::wait_launch) + share(Use::between) +
                     share(Use::copy_out) + share(Use::copy_model) + around;
  balance.communication = share(Use::communication);
  balance.memory = share(Use::memory);
  balance.compute = share(Use::arithmetic);
  balance.unknown = share(Use::unknown_work) + share(Use::wait_other);
  balance.held = share(Use::wait_input) + share(Use::wait_sync) + share(Use::wait_launch) +
                 share(Use::between) + share(Use::transform) + around;
  balance.idle = balance.held + share(Use::wait_other);
  if (shares.of_host) balance.held = 0;  // a thread that does one thing leaves nothing idle
  return balance;
}

Regime regime_of(const Balance& balance) {
  const auto all = parts(balance);
  const auto largest = *std::ranges::max_element(all, {}, &Part::share);
  if (largest.share > majority) return largest.regime;
  if (balance.unknown > majority) return Regime::unknown;
  if (balance.held >= starved) return balance.input >= balance.overhead ? Regime::input : Regime::overhead;
  return largest.share > balance.unknown ? largest.regime : Regime::unknown;
}

RegimeVerdict judge(const Shares& shares, std::int64_t steps) {
  const auto balance = balance_of(shares);
  const bool silent =
      !can_be_judged(shares) || (shares.of_host ? !shows_work(shares, steps > 0) : starts_up(shares));
  const auto regime = silent ? Regime::unknown : regime_of(balance);
  if (regime == Regime::unknown)
    return shares.of_host ? host_silence(shares, steps > 0) : device_silence(shares);
  RegimeVerdict judgement{.regime = regime, .share = share_of(balance, regime)};
  const auto grounds = shares.of_host ? host_grounds(regime) : device_grounds(regime, shares);
  const auto count = static_cast<double>(std::max<std::int64_t>(steps, 1));
  const double whole = (shares.window_us - shares[Use::start_up]) / count;
  judgement.evidence =
      fmt::format("for {} of {} ({} of {}) {}{}", share_text(judgement.share),
                  steps > 1 ? "each step" : "the time", us_text(judgement.share * whole), us_text(whole),
                  shares.of_host ? "the training thread " : "", told(shares, grounds));
  judgement.would_change = heaviest(shares, grounds).change;
  const bool host = regime == Regime::input || regime == Regime::overhead;
  if (host && judgement.share <= majority)
    judgement.evidence +=
        shares.of_host
            ? fmt::format("; what surrounds the model's operators takes {} in all", share_text(balance.idle))
            : fmt::format("; it idles for {} in all, so its host holds it up", share_text(balance.idle));
  for (const auto& part : parts(balance))
    if (part.regime != regime && part.share >= 0.25)
      judgement.evidence += fmt::format("; mixed: {} for {}", to_string(part.regime), share_text(part.share));
  if (shares.share(Use::start_up) >= worth_saying)
    judgement.evidence +=
        fmt::format("; the first use of kernels, {}, is left out", us_text(shares[Use::start_up] / count));
  return judgement;
}

}  // namespace harness::trace
