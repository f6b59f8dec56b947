// Findings about a training thread's time, where no device worked: loading, overhead, what PyTorch does not
// see.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/program_advice.hpp"
#include "harness/trace/regime.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

std::optional<Finding> loader_wait(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::wait_input);
  const double us = total_us(blames);
  const bool workers = !blames.empty() && blames.front().name.find("_MultiProcessing") != std::string::npos;
  const auto* what =
      workers ? "its workers do not keep up; add workers, prefetch more or make the samples cheaper"
              : "no operator runs in it: it reads, decodes or waits in the training process; load "
                "ahead in worker processes";
  const auto advice = loader_advice(evidence, us + evidence.shares[Use::transform], what);
  return advised(saving(evidence, "data_loader_wait", us,
                        fmt::format("the training thread waits in its data loader for {}{}; {}",
                                    evidence.each(us), most_by(blames), advice.text)),
                 advice);
}

/// The time without what one step alone has met: a step's transforms are as long as another's, and a single
/// long operator in them is an accident.
double without_accident(const Evidence& evidence, Use use, double us) {
  const auto steps = evidence.spans.size();
  if (!evidence.stepped || steps < 3) return us;
  double most = 0;
  for (const auto& span : evidence.spans) most = std::max(most, shares(evidence.timeline, {&span, 1})[use]);
  if (most <= majority * us) return us;
  return (us - most) * static_cast<double>(steps) / static_cast<double>(steps - 1);
}

std::optional<Finding> loader_transform(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::transform);
  const double us = without_accident(evidence, Use::transform, total_us(blames));
  const auto advice =
      loader_advice(evidence, evidence.shares[Use::transform] + evidence.shares[Use::wait_input],
                    "do it in workers, a batch at a time, or once for all epochs");
  auto finding =
      saving(evidence, "loader_transform", us,
             fmt::format("operators within the data loader take {} of the training thread{}: they transform "
                         "and collate samples; {}",
                         evidence.each(us), most_by(blames), advice.text));
  return advised(fit_to_loading(std::move(finding), blames), advice);
}

/// Every eager training calls and interprets; a tenth is usual, and three tenths starve (docs/diagnose.md).
constexpr double usual_overhead = 0.10;

double overhead_us(const Evidence& evidence) {
  return evidence.shares[Use::small_operators] + evidence.shares[Use::python];
}

/// A finding that is medium from `least` on and high from `high` on.
std::optional<Finding> from(const Evidence& evidence, std::string_view id, double us, double least,
                            double high, std::string message) {
  const double share = evidence.window_us() > 0 ? us / evidence.window_us() : 0;
  if (share < least) return std::nullopt;
  return remark(id, share >= high ? Severity::high : Severity::medium, std::move(message), us);
}

std::optional<Finding> small_batch(const Evidence& evidence, const ThreadCalls& calls) {
  const auto products = calls.products();
  const auto small = static_cast<std::size_t>(
      std::ranges::count_if(products, [&](EventId id) { return calls.self_ns(id) < small_operator_ns; }));
  if (products.empty() || 2 * small < products.size()) return std::nullopt;
  const double us = overhead_us(evidence);
  if (us < starved * evidence.window_us()) return std::nullopt;
  return from(
      evidence, "small_batch", us, starved, starved,
      fmt::format("{} of {} products run below {} each, so calls and Python take {}; take larger batches, "
                  "which cost the same calls",
                  count_text(static_cast<std::int64_t>(small)),
                  count_text(static_cast<std::int64_t>(products.size())), us_text(us_of(small_operator_ns)),
                  evidence.each(us)));
}

std::optional<Finding> small_operators(const Evidence& evidence, const ThreadCalls& calls) {
  const double us = overhead_us(evidence);
  const auto what =
      calls.small() == 0
          ? std::string("the Python between operators takes")
          : fmt::format("{} operators{} run below {} each; they and the Python between operators take",
                        rounded_text(evidence.per_step(static_cast<double>(calls.small()))),
                        evidence.stepped ? " a step" : "", us_text(us_of(small_operator_ns)));
  return from(evidence, "small_operators", us, usual_overhead, starved,
              fmt::format("{} {}{}; write fewer and larger operators (no loops over elements), or compile "
                          "the model",
                          what, evidence.each(us), most_by(blame(evidence, Use::small_operators))));
}

std::optional<Finding> outside_pytorch(const Evidence& evidence, const ThreadCalls& calls, bool checkpoint) {
  const auto chosen = [&](EventId next) {
    return calls.follows_state_dict(next) == checkpoint && !calls.made_of_list(next) &&
           !calls.reads_list(next);
  };
  const auto blames = blame(evidence, Use::outside, chosen);
  const double us = total_us(blames);
  const auto where = blames.empty() || blames.front().where.empty() ? "" : " at " + blames.front().where;
  if (checkpoint)
    return saving(
        evidence, "checkpoint_in_step", us,
        fmt::format("after state_dict() no operator runs for {}{}, as while a checkpoint is written; write "
                    "it less often, or in another thread",
                    evidence.each(us), where));
  return saving(
      evidence, "outside_pytorch", us,
      fmt::format("for {} no operator runs for {} or longer{}{}; look for files, printing, data read by "
                  "hand, computations outside of PyTorch{}, or another program that took the processor",
                  evidence.each(us), us_text(us_of(outside_ns)),
                  blames.empty() ? "" : ", most before " + blames.front().name, where,
                  where.empty()
                      ? fmt::format(" ({} shows where)", option(evidence, "--stacks", "with_stack=True"))
                      : ""));
}

std::optional<Finding> optimizer_share(const Evidence& evidence, const ThreadCalls& calls) {
  if (calls.closures()) return std::nullopt;
  const double us = calls.ranges_us("Optimizer.step#");
  return from(
      evidence, "optimizer_share", us, heavy_optimizer, majority,
      fmt::format(
          "the optimizer takes {}; use its fused form, step after several batches, or take larger ones",
          evidence.each(us)));
}

std::optional<Finding> zero_fills(const Evidence& evidence, const ThreadCalls& calls) {
  const double us = calls.fills_us("Optimizer.zero_grad#");
  return saving(
      evidence, "zero_grad_fills", us,
      fmt::format("zero_grad fills gradients for {}, and the backward pass adds to them; set them to none "
                  "instead",
                  evidence.each(us)));
}

/// What suits the operator that moves most.
std::string_view moving_advice(const std::vector<Blame>& moving) {
  struct Family {
    std::array<std::string_view, 4> names;
    std::string_view advice;
  };
  constexpr std::array<Family, 4> families{
      {{{"softmax", "nll_loss", "cross_entropy", "logsumexp"},
        "take the loss of the logits in one call (cross_entropy), on contiguous rows, or of fewer classes"},
       {{"aten::copy_", "aten::_to_copy", "aten::clone", "aten::contiguous"},
        "see which type or layout each copy makes, and make it once, or not at all"},
       {{"aten::fill_", "aten::zero_", "aten::zeros", "aten::ones"},
        "write into what is there instead of filling it first, and set gradients to none"},
       {{"aten::mm", "aten::addmm", "aten::bmm", "aten::linear"},
        "multiply more rows at once (a larger batch), since each call reads all weights"}}};
  if (moves_rows(moving))
    return "read and add up rows without a copy of each, keep them narrower, or gather them ahead, in the "
           "loader's workers";
  const auto top = moving.empty() ? std::string_view() : std::string_view(moving.front().name);
  for (const auto& family : families)
    if (std::ranges::any_of(family.names, [&](auto name) { return top.find(name) != top.npos; }))
      return family.advice;
  return "try the layout and the allocator that suit them, and fused forms";
}

/// From a quarter on, the line of a mixed verdict; by itself it saves nothing.
std::optional<Finding> memory_operators(const Evidence& evidence, const ThreadCalls& calls) {
  const double us = evidence.shares[Use::memory];
  if (us < 0.25 * evidence.window_us() || us <= 0) return std::nullopt;
  const auto moving = blame(evidence, Use::memory);
  return fit_to_moving(remark("memory_operators", Severity::low,
                              fmt::format("operators that move more than they compute take {}{}; {}",
                                          evidence.each(us), most_by(moving), moving_advice(moving))),
                       moving, blame(evidence, Use::memory, [&](EventId id) { return calls.counts(id); }));
}

/// A hint: what the processor's units can do is not in the trace.
std::optional<Finding> fp32_on_cpu(const Evidence& evidence, const ThreadCalls& calls) {
  const double us = evidence.shares[Use::arithmetic];
  const auto& program = evidence.trace.program;
  const bool may_help = program.autocast.empty() && program.bf16_unit.value_or(true) && !is_spoiled(program);
  if (us <= majority * evidence.window_us() || calls.products_are_narrow() || !may_help) return std::nullopt;
  return remark(
      "fp32_on_cpu", Severity::low,
      fmt::format("products take {}{}; whether BF16 makes them faster depends on the processor: measure it",
                  evidence.each(us),
                  calls.types_known() ? std::string(" in FP32")
                                      : fmt::format(" (their types were not recorded: {})",
                                                    option(evidence, "--shapes", "record_shapes=True"))));
}

}  // namespace

Found thread_findings(const Evidence& evidence, const ThreadCalls& calls) {
  if (!shows_work(evidence.shares, evidence.stepped)) return {};
  return {loader_wait(evidence),
          loader_transform(evidence),
          small_batch(evidence, calls),
          small_operators(evidence, calls),
          outside_pytorch(evidence, calls, false),
          outside_pytorch(evidence, calls, true),
          optimizer_share(evidence, calls),
          zero_fills(evidence, calls),
          memory_operators(evidence, calls),
          fp32_on_cpu(evidence, calls)};
}

}  // namespace harness::trace
