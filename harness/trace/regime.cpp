#include "harness/trace/regime.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/host_use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::trace {
namespace {

/// What speaks for the regime: "the training thread prepares batches itself". "" for the unknown one.
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

/// What would change it.
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

/// The verdict "cannot say", and why.
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
    judgement.evidence =
        "the training thread waits for other threads or a processor, and the trace does not show why";
    judgement.would_change = "recording on a quiet machine, or with fewer threads, such as OMP_NUM_THREADS=1";
  }
  return judgement;
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

std::string evidence_of(Regime regime, const Shares& shares) {
  switch (regime) {
    case Regime::input:
      return told(shares, {{Use::wait_input, "the device is idle until the host has its next batch"},
                           {Use::copy_in, "the device does nothing but receive its input"}});
    case Regime::overhead:
      return told(
          shares,
          {{Use::wait_sync, "the host waited for the device, which then had nothing queued"},
           {Use::wait_launch, "the device is idle until the host launches the next piece"},
           {Use::between, "the device spends its time in the gaps between short pieces of work"},
           {Use::host_operator, "the device is idle while the host runs operators itself"},
           {Use::outside, "the device is idle while the host calls nothing for a millisecond or longer"},
           {Use::copy_model, "the device does nothing but receive what the model copies to it"},
           {Use::copy_out, "the device does nothing but send results to the host"}});
    case Regime::communication:
      return "the device does nothing but communicate";
    case Regime::memory:
      return "the device runs kernels that move more than they compute (pointwise, normalization, indexing, "
             "thin products)";
    case Regime::compute:
      return "the device runs matrix products, convolutions or attention";
    case Regime::unknown:
      break;
  }
  return "";
}

std::string_view change_of(Regime regime, const Shares& shares) {
  const bool graphs = !shares.may_lack_graphs();
  switch (regime) {
    case Regime::input:
      return heaviest(
          shares,
          {{Use::wait_input, "loading batches in parallel and ahead of time, until the wait is gone"},
           {Use::copy_in, "copies that overlap with work, which takes pinned host memory, or fewer bytes"}});
    case Regime::overhead:
      return heaviest(
          shares,
          {{Use::wait_sync, "reading results back less often, so that the host can run ahead"},
           {Use::wait_launch,
            graphs ? "less work of the host between its launches"
                   : "fewer and larger kernels (fusion, foreach, larger batch) or a CUDA graph"},
           {Use::between, graphs ? "fewer and larger kernels (fusion, larger batch)"
                                 : "fewer and larger kernels (fusion, larger batch) or a CUDA graph"},
           {Use::host_operator, "running these operators on the device, or less often"},
           {Use::outside, "doing less often, or in another thread, what the host does between its launches"},
           {Use::copy_model, "making or keeping these tensors on the device, or copying them once"},
           {Use::copy_out, "keeping intermediate results on the device"}});
    case Regime::communication:
      return "overlapping communication with the backward pass, fewer bytes, or less imbalance between ranks";
    case Regime::memory:
      return "fewer bytes: fusing neighboring operators, narrower types, and more rows at once (a larger "
             "batch) where products are thin";
    case Regime::compute:
      return shares.maker == Maker::nvidia
                 ? "tensor cores (TF32, mixed precision), or less arithmetic; this is where a device should "
                   "be"
                 : "narrower types (mixed precision), or less arithmetic; this is where a device should be";
    case Regime::unknown:
      break;
  }
  return "";
}

}  // namespace

std::string_view heaviest(const Shares& shares,
                          std::initializer_list<std::pair<Use, std::string_view>> uses) {
  return std::ranges::max_element(uses, {}, [&](const auto& use) { return shares[use.first]; })->second;
}

std::string told(const Shares& shares, std::initializer_list<std::pair<Use, std::string_view>> uses) {
  const double judged_us = shares.window_us - shares[Use::start_up];
  std::vector<std::pair<double, std::string_view>> shown;
  for (const auto& [use, words] : uses)
    if (const double share = shares[use] / judged_us; share >= least_shown) shown.emplace_back(share, words);
  if (shown.size() < 2) return std::string(heaviest(shares, uses));
  std::ranges::stable_sort(shown, std::ranges::greater(), &std::pair<double, std::string_view>::first);
  std::string text;
  for (const auto& [share, words] : shown)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", or ", words, share_text(share));
  return text;
}

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
  const auto count = static_cast<double>(std::max<std::int64_t>(steps, 1));
  const double whole = (shares.window_us - shares[Use::start_up]) / count;
  judgement.evidence =
      fmt::format("for {} of {} ({} of {}) {}", share_text(judgement.share),
                  steps > 1 ? "each step" : "the time", us_text(judgement.share * whole), us_text(whole),
                  shares.of_host ? host_evidence(regime, shares) : evidence_of(regime, shares));
  judgement.would_change = shares.of_host ? host_change(regime, shares) : change_of(regime, shares);
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
