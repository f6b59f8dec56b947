#include "harness/trace/efforts.hpp"

#include "harness/support/usual_file.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/trace_text.hpp"

#include <unordered_map>

namespace harness::trace {
namespace {

/// The innermost operator around the kernel whose need can be counted: linear -> addmm -> kernel.
EventId counted_around(const Trace& trace, ByName<decltype(&has_need)>& counted, EventId op) {
  constexpr int outward = 3;
  for (int i = 0; i < outward && op != no_event && !counted(trace.events[op]); ++i)
    op = trace.nesting.parent[op];
  return op != no_event && counted(trace.events[op]) ? op : no_event;
}

void add_roof(const Effort& call, const DeviceModel& model, EffortRow& row) {
  const double peak = peak_flops(model, call.arithmetic);
  const double arithmetic_us = peak > 0 ? call.need.flop / peak * 1e6 : 0;
  const double memory_us = call.need.bytes / (model.bandwidth_gb_s * 1e3);
  row.arithmetic_us += arithmetic_us;
  row.memory_us += memory_us;
  row.roof_us += std::max(arithmetic_us, memory_us);
}

}  // namespace

bool has_shapes(const Trace& trace) {
  constexpr int enough = 100;  // operators without a tensor record empty shapes; not that many in a row
  int seen = 0;
  for (const auto& event : trace.events) {
    if (event.kind != Kind::cpu_op) continue;
    if (!argument(trace, event, "Input Dims").empty()) return true;
    if (++seen == enough) break;
  }
  return false;
}

Efforts efforts(const Trace& trace) {
  Efforts found;
  if (!has_shapes(trace)) return found;
  found.of_event.assign(trace.events.size(), -1);
  ByName counted(trace, has_need);
  ByName arithmetic_of(trace, kernel_arithmetic);
  std::unordered_map<EventId, std::int32_t> known;  // by operator; -1: its record is incomplete
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& work = trace.events[id];
    if (work.kind != Kind::kernel) continue;
    const auto op = counted_around(trace, counted, trace.nesting.asker[id]);
    if (op == no_event) continue;
    const auto [entry, fresh] = known.try_emplace(op, -1);
    if (fresh) {
      if (const auto need = need_of(recorded(trace, trace.events[op]))) {
        entry->second = static_cast<std::int32_t>(found.calls.size());
        found.calls.push_back({.op = op, .need = *need});
      }
    }
    if (entry->second < 0) continue;
    auto& call = found.calls[static_cast<std::size_t>(entry->second)];
    call.device_us += static_cast<double>(work.dur) / 1e3;
    if (call.arithmetic == Arithmetic::unknown) call.arithmetic = arithmetic_of(work);
    found.of_event[id] = entry->second;
  }
  return found;
}

std::vector<EffortRow> effort_rows(const Trace& trace, std::span<const Effort> calls,
                                   const std::vector<bool>& inside, const DeviceModel* model) {
  std::vector<EffortRow> rows;
  std::unordered_map<NameId, std::size_t> row_of;
  std::vector<double> longest;
  for (const auto& call : calls) {
    if (!inside.empty() && !inside[call.op]) continue;
    const auto& op = trace.events[call.op];
    const auto [entry, fresh] = row_of.try_emplace(op.name, rows.size());
    if (fresh) {
      rows.push_back({.op = std::string(trace.name(op))});
      longest.push_back(0);
    }
    auto& row = rows[entry->second];
    ++row.calls;
    row.need.flop += call.need.flop;
    row.need.bytes += call.need.bytes;
    row.device_us += call.device_us;
    if (model != nullptr) add_roof(call, *model, row);
    if (call.device_us >= longest[entry->second]) {
      longest[entry->second] = call.device_us;
      row.arithmetic = call.arithmetic;
    }
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &EffortRow::device_us);
  return rows;
}

namespace {

/// By the prices that lie here, where they are of that device, and else by its sheet.
std::optional<DeviceModel> usual_model(const DeviceDescription& device) {
  if (const auto file = or_usual("", usual_prices); !device.name.empty() && !file.empty()) try {
      return model_from_file(file, device);
    } catch (const BadInput&) {  // nobody asked for them
    }
  return device_model(device);
}

}  // namespace

std::shared_ptr<const DeviceModel> peaks_of(const DeviceProperties& device, const std::string& file) {
  const DeviceDescription described{.name = device.name,
                                    .multiprocessors = device.multiprocessors,
                                    .memory_bytes = static_cast<double>(device.memory_bytes)};
  const auto model = file.empty() ? usual_model(described) : model_from_file(file, described);
  return model ? std::make_shared<const DeviceModel>(*model) : nullptr;
}

double peak_flops(const DeviceModel& model, Arithmetic arithmetic) {
  constexpr double tera = 1e12;
  if (arithmetic == Arithmetic::fp32) return model.fp32_tflops * tera;
  if (arithmetic == Arithmetic::tf32) return model.tf32_tflops * tera;
  if (arithmetic == Arithmetic::fp16) return model.fp16_tflops * tera;
  return arithmetic == Arithmetic::bf16 ? model.bf16_tflops * tera : 0;
}

double balance(const DeviceModel& model, Arithmetic arithmetic) {
  return peak_flops(model, arithmetic) / (model.bandwidth_gb_s * 1e9);
}

std::string_view to_string(Arithmetic arithmetic) {
  constexpr std::array names{"FP32", "TF32", "FP16", "BF16", "FP64", "unknown"};
  return names[static_cast<std::size_t>(arithmetic)];
}

namespace {

enum class Formula : std::uint8_t { product, product_with_addend, linear, convolution, pointwise };

struct Rule {
  std::string_view ops;  // with a blank between each two
  Formula formula;
  double flop_per_element = 1;  // of the output; this and the next of pointwise operators
  std::size_t read = 1;         // arguments that are read; an output handed in comes behind them
};

// One FLOP per element for arithmetic and comparisons, as the roofline's usual counting has it; a division,
// root or exponential counts as one too, which is a floor.
constexpr auto rules = std::to_array<Rule>({
    {"mm bmm", Formula::product},
    {"addmm baddbmm", Formula::product_with_addend},
    {"linear", Formula::linear},
    {"conv2d convolution _convolution cudnn_convolution", Formula::convolution},
    {"relu relu_ clamp_min clamp_min_ threshold neg abs exp log cos sin sqrt rsqrt tanh sigmoid",
     Formula::pointwise},
    {"threshold_backward add add_ sub sub_ mul mul_ div div_", Formula::pointwise, 1, 2},
    {"addcmul addcmul_ addcdiv addcdiv_", Formula::pointwise, 3, 3},
    {"copy_", Formula::pointwise, 0, 2},
    {"fill_", Formula::pointwise, 0, 0},
});

const Rule* rule_of(std::string_view op) {
  constexpr std::string_view prefix = "aten::";
  if (!op.starts_with(prefix)) return nullptr;
  op.remove_prefix(prefix.size());
  const auto* found = std::ranges::find_if(rules, [&](const Rule& rule) { return is_word_of(rule.ops, op); });
  return found == rules.end() ? nullptr : found;
}

double elements(const Shape& shape) {
  double count = 1;
  for (const auto extent : shape) count *= static_cast<double>(extent);
  return count;
}

/// Bytes per element; 4 where the type was not recorded.
double width(const Recorded& call, std::size_t argument) {
  if (argument >= call.types.size()) return 4;
  const auto type = call.types[argument];
  const auto is = [&](std::string_view word) { return type.find(word) != type.npos; };
  if (is("BFloat16") || is("Half") || is("short")) return 2;
  if (is("complex<double>")) return 16;
  if (is("double") || is("long") || is("complex")) return 8;
  if (is("bool") || is("char") || is("Float8")) return 1;
  return 4;
}

/// [.., m, k] times [.., k, n]; `addend` is the argument before them that is read as well.
std::optional<Need> product(const Recorded& call, std::size_t first, bool addend) {
  if (call.shapes.size() < first + 2) return std::nullopt;
  const auto& a = call.shapes[first];
  const auto& b = call.shapes[first + 1];
  if (a.size() < 2 || b.size() != a.size() || a.back() != b[b.size() - 2]) return std::nullopt;
  const double out =
      elements(a) / static_cast<double>(std::max<std::int64_t>(a.back(), 1)) * static_cast<double>(b.back());
  const double read = elements(a) + elements(b) + (addend ? elements(call.shapes[0]) : 0);
  return Need{2 * out * static_cast<double>(a.back()), width(call, first) * (read + out)};
}

/// [.., in] times the transpose of [out, in].
std::optional<Need> linear(const Recorded& call) {
  if (call.shapes.size() < 2 || call.shapes[0].empty() || call.shapes[1].size() != 2) return std::nullopt;
  const auto& x = call.shapes[0];
  const auto& w = call.shapes[1];
  if (x.back() != w[1] || w[1] == 0) return std::nullopt;
  const double out = elements(x) / static_cast<double>(w[1]) * static_cast<double>(w[0]);
  return Need{2 * out * static_cast<double>(w[1]), width(call, 0) * (elements(x) + elements(w) + out)};
}

/// Stride, padding and dilation stand behind the bias, in that order, in every form of the operator but
/// cuDNN's.
std::optional<Need> convolution(const Recorded& call) {
  if (call.shapes.size() < 2 || call.shapes[0].size() < 3 || call.shapes[1].size() != call.shapes[0].size())
    return std::nullopt;
  const bool cudnn = call.op == "aten::cudnn_convolution";
  const std::size_t at = cudnn ? 2 : 3;
  if (call.values.size() < at + 3) return std::nullopt;
  if (!cudnn && call.values.size() > at + 3 && call.values[at + 3] == "True")
    return std::nullopt;  // transposed
  const auto stride = parse_list(call.values[cudnn ? at + 1 : at]);
  const auto padding = parse_list(call.values[cudnn ? at : at + 1]);
  const auto dilation = parse_list(call.values[at + 2]);
  const auto& x = call.shapes[0];
  const auto& w = call.shapes[1];
  if (stride.empty() || padding.empty() || dilation.empty()) return std::nullopt;
  double out = static_cast<double>(x[0]) * static_cast<double>(w[0]);
  double window = static_cast<double>(w[1]);
  for (std::size_t i = 2; i < x.size(); ++i) {
    const auto of = [i](const Shape& list) { return list[std::min(i - 2, list.size() - 1)]; };
    if (of(stride) <= 0) return std::nullopt;
    const auto extent = (x[i] + 2 * of(padding) - of(dilation) * (w[i] - 1) - 1) / of(stride) + 1;
    if (extent <= 0) return std::nullopt;
    out *= static_cast<double>(extent);
    window *= static_cast<double>(w[i]);
  }
  return Need{2 * out * window, width(call, 0) * (elements(x) + elements(w) + out)};
}

/// Broadcasting makes the output as large as the largest input; scalars have no shape and cost nothing.
std::optional<Need> pointwise(const Recorded& call, const Rule& rule) {
  double out = 0;
  double read = 0;
  std::size_t first = call.shapes.size();
  for (std::size_t i = 0; i < call.shapes.size(); ++i) {
    if (call.shapes[i].empty()) continue;
    first = std::min(first, i);
    const double here = elements(call.shapes[i]);
    out = std::max(out, here);
    if (i < rule.read && !(call.op == "aten::copy_" && i == 0)) read += here * width(call, i);
  }
  if (first == call.shapes.size() || out == 0) return std::nullopt;
  return Need{rule.flop_per_element * out, read + out * width(call, first)};
}

std::optional<Need> apply(const Rule& rule, const Recorded& call) {
  switch (rule.formula) {
    case Formula::product:
      return product(call, 0, false);
    case Formula::product_with_addend:
      return product(call, 1, true);
    case Formula::linear:
      return linear(call);
    case Formula::convolution:
      return convolution(call);
    case Formula::pointwise:
      break;
  }
  return pointwise(call, rule);
}

}  // namespace

bool has_need(std::string_view op) { return rule_of(op) != nullptr; }

std::optional<Need> need_of(const Recorded& call) {
  const auto* rule = rule_of(call.op);
  return rule == nullptr ? std::nullopt : apply(*rule, call);
}

}  // namespace harness::trace
