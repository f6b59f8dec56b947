// Findings about how the model is written: attention by hand, sizes that tensor cores dislike, needless
// biases.
#include "harness/support/quantity.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::size_t most_between = 6;  // scale, mask, convert, drop out, and what moves shapes

bool multiplies_activations(std::string_view name) {
  return is_any(name, {"aten::matmul", "aten::bmm", "aten::baddbmm", "aten::einsum"});
}

/// The place of the product next to the softmax at `at`, in one direction; none if another product or a layer
/// with weights comes first.
std::optional<std::size_t> product_beside(const ThreadCalls& calls, std::size_t at, int direction) {
  for (std::size_t away = 1; away <= most_between; ++away) {
    const auto next = direction > 0 ? at + away : at - away;
    if (next >= calls.outer().size()) return std::nullopt;  // below 0 as well
    const auto name = calls.name(calls.outer()[next]);
    if (multiplies_activations(name)) return next;
    if (host_work(name) == HostWork::product) return std::nullopt;
  }
  return std::nullopt;
}

/// Product, softmax, product, as attention is written by hand: what lies between the products is what a fused
/// form saves.
std::optional<Finding> unfused_attention(const Evidence& evidence, const ThreadCalls& calls) {
  std::vector<EventId> between;
  std::int64_t count = 0;
  for (std::size_t at = 0; at < calls.outer().size(); ++at) {
    const auto id = calls.outer()[at];
    if (!calls.counts(id) || (calls.name(id) != "aten::softmax" && calls.name(id) != "aten::_softmax"))
      continue;
    const auto first = product_beside(calls, at, -1);
    const auto last = product_beside(calls, at, +1);
    if (!first || !last) continue;
    ++count;
    between.insert(between.end(), calls.outer().begin() + static_cast<std::ptrdiff_t>(*first + 1),
                   calls.outer().begin() + static_cast<std::ptrdiff_t>(*last));
  }
  const double us = work_us(evidence, between);
  return saving(
      evidence, "unfused_attention", us,
      fmt::format("attention is written as product, softmax, product, {} times{}; what lies between "
                  "the products takes {}{}; use torch.nn.functional.scaled_dot_product_attention",
                  rounded_text(evidence.per_step(static_cast<double>(count))),
                  evidence.stepped ? " a step" : "", evidence.each(us),
                  goes_backwards(evidence.trace) ? " forward, and again backward" : ""));
}

/// Where tensor cores want multiples: the inner size and that of the columns, which decide how rows are
/// aligned.
bool is_unaligned(const Trace& trace, EventId op) {
  const auto call = recorded(trace, trace.events[op]);
  const std::size_t first = call.op == "aten::addmm" || call.op == "aten::baddbmm" ? 1 : 0;
  const bool known = first == 1 || call.op == "aten::mm" || call.op == "aten::bmm";
  if (!known || call.shapes.size() < first + 2) return false;
  const auto uneven = [&](const Shape& shape) { return !shape.empty() && shape.back() % 8 != 0; };
  return uneven(call.shapes[first]) || uneven(call.shapes[first + 1]);
}

bool is_half_product(std::string_view kernel) {
  if (!is_product(kernel_kind(kernel))) return false;
  const auto arithmetic = kernel_arithmetic(kernel);
  return arithmetic == Arithmetic::fp16 || arithmetic == Arithmetic::bf16;
}

std::optional<Finding> unaligned_products(const Evidence& evidence) {
  ByName in_half(evidence.trace, is_half_product);
  std::unordered_map<EventId, bool> known;
  double us = 0;
  for (const auto id : evidence.judged_of(Kind::kernel)) {
    const auto& event = evidence.trace.events[id];
    const auto op = evidence.trace.nesting.asker[id];
    if (op == no_event || !in_half(event)) continue;
    const auto [entry, fresh] = known.try_emplace(op, false);
    if (fresh) entry->second = is_unaligned(evidence.trace, op);
    if (entry->second) us += us_of(event.dur);
  }
  if (us <= 0 || us < worth_reporting * evidence.window_us() || evidence.shares.maker == Maker::other)
    return std::nullopt;
  return mark(
      evidence, "unaligned_products", us, Severity::low,
      fmt::format("half-precision products take {} whose inner size or number of columns is not a multiple "
                  "of 8; tensor cores want multiples, so pad vocabulary, hidden sizes and the like",
                  evidence.each(us)));
}

/// The pass that adds a convolution's bias, where batch normalization comes next and subtracts the mean.
std::optional<Finding> bias_before_norm(const Evidence& evidence, const ThreadCalls& calls) {
  std::vector<EventId> layers;
  for (std::size_t at = 0; at + 1 < calls.outer().size(); ++at) {
    const auto id = calls.outer()[at];
    if (!calls.counts(id) || !has_any(calls.name(id), {"aten::conv", "aten::linear"})) continue;
    if (calls.name(calls.outer()[at + 1]) != "aten::batch_norm") continue;
    const auto call = recorded(evidence.trace, evidence.trace.events[id]);
    if (call.shapes.size() > 2 && call.shapes[2].size() == 1) layers.push_back(id);
  }
  std::vector<EventId> adding;
  for (const auto id : evidence.trace.nesting.order) {
    if (calls.name(id) != "aten::add_") continue;
    const auto is_layer = [&](EventId op) { return std::ranges::find(layers, op) != layers.end(); };
    if (lies_in(evidence.trace, id, is_layer)) adding.push_back(id);
  }
  const double us = work_us(evidence, adding);
  return saving(evidence, "bias_before_norm", us,
                fmt::format("adding the bias of {} layers takes {}, and the batch normalization after them "
                            "subtracts it again: make them with bias=False",
                            count_text(static_cast<std::int64_t>(layers.size())), evidence.each(us)));
}

/// What is left where no library takes a convolution: columns are copied, then multiplied.
std::optional<Finding> slow_convolution(const Evidence& evidence) {
  std::vector<EventId> slow;
  for (const auto id : evidence.trace.nesting.order) {
    if (evidence.judged[id] &&
        has_any(evidence.trace.name(id), {"aten::_slow_conv2d_", "aten::slow_conv3d_", "aten::slow_conv_"}))
      slow.push_back(id);
  }
  const double us = work_us(evidence, slow);
  return saving(evidence, "slow_convolution", us,
                fmt::format("convolutions take {} in PyTorch's own fallback, which copies columns and "
                            "multiplies: no library took them, for it is switched off, is missing in this "
                            "build, or lacks the type{}",
                            evidence.each(us), at_site(evidence, slow.empty() ? no_event : slow.front())));
}

/// Below a tenth of its work beside that of the others a device works in turn with them.
constexpr double in_turn = 0.1;

/// True if the two devices that work longest do so one after the other, as the parts of a model do.
bool work_in_turn(const Evidence& evidence) {
  std::map<std::int32_t, std::vector<Span>> kernels;
  for (const auto& event : evidence.trace.events)
    if (event.kind == Kind::kernel) kernels[event.device].push_back(event.span());
  std::vector<std::vector<Span>> busy;
  for (auto& [device, spans] : kernels) busy.push_back(merged(std::move(spans)));
  std::ranges::sort(busy, std::ranges::greater(), [](const auto& spans) { return length(spans); });
  return static_cast<double>(length(intersection(busy[0], busy[1]))) <
         in_turn * static_cast<double>(length(busy[1]));
}

std::optional<Finding> several_devices(const Evidence& evidence) {
  const auto working =
      std::ranges::count_if(evidence.devices, [](const DeviceTime& device) { return device.kernels > 0; });
  if (working < 2) return std::nullopt;
  return remark(
      "several_devices", Severity::low,
      work_in_turn(evidence)
          ? fmt::format("one process drives {} devices that work one after the other, as the parts of a "
                        "model do; a pipeline of micro-batches keeps them busy together, and a model that "
                        "fits on one device needs no other",
                        working)
          : fmt::format("one process drives {} devices, as DataParallel does; DistributedDataParallel with a "
                        "process for each leaves out scattering, gathering and the interpreter's lock",
                        working));
}

}  // namespace

Found model_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {unfused_attention(evidence, calls), unaligned_products(evidence), bias_before_norm(evidence, calls),
          several_devices(evidence), slow_convolution(evidence)};
}

}  // namespace harness::trace
