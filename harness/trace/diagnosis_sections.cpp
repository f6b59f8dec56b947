// Time of the device and of the host, and phases.
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace harness::trace {
namespace {

template <class Row>
std::span<const Row> first(const std::vector<Row>& rows, std::size_t most) {
  return std::span(rows).first(std::min(rows.size(), most));
}

std::string copy_name(const CopyTime& copy) {
  auto name = "copies " + std::string(to_string(copy.direction));
  if (copy.host_memory != HostMemory::unknown) name += ", " + std::string(to_string(copy.host_memory));
  return name;
}

std::string kinds_table(const DeviceTime& device, const Style& style) {
  Columns table({"", "time", "of span", "count", "bytes", "rate"});
  const auto add = [&](std::string name, double us, std::vector<std::string> more = {}) {
    std::vector<std::string> cells{std::move(name), us_text(us), share_text(share(us, device.span_us))};
    cells.insert(cells.end(), more.begin(), more.end());
    table.add(std::move(cells));
  };
  if (device.kernels > 0)
    add("computing", device.compute_us, {count_text(device.kernels)});
  else
    add("working", device.compute_us);
  if (device.communication_us > 0) {
    add("communicating", device.communication_us);
    add("  hidden by computation", device.compute_and_communication_us);
  }
  if (device.memory_us > 0) {
    add("copying and filling", device.memory_us);
    add("  hidden by computation", device.compute_and_memory_us);
  }
  for (const auto& copy : device.copies) {
    const bool sized = copy.bytes > 0;
    add("  " + copy_name(copy), copy.us,
        {count_text(copy.count), sized ? size_text(static_cast<double>(copy.bytes)) : "",
         sized && copy.us > 0 ? rate_text(1e6 * static_cast<double>(copy.bytes) / copy.us, "B") : ""});
  }
  if (device.memset_us > 0) add("  fills", device.memset_us);
  add("idle", device.idle_us);
  return table.text(style);
}

std::string streams_table(const DeviceTime& device, const Style& style) {
  Columns table({"stream", "busy", "events", "idle: host", "kernel", "other"});
  for (const auto& stream : device.streams)
    table.add({fmt::format("stream {}", stream.stream), us_text(stream.busy_us), count_text(stream.events),
               us_text(stream.idle.host_wait_us), us_text(stream.idle.kernel_wait_us),
               us_text(stream.idle.other_us)});
  return fmt::format("\n{}", table.text(style));
}

/// What the 70 % rule makes of it, and what it overlooks. Over the judged time where the device's work spans
/// less than that: one kernel is resident all the time between its begin and its end.
std::string utilization_text(const DeviceTime& device, const Shares& judged) {
  const double judged_us = judged.window_us;
  if (device.kernels == 0)
    return "The trace names no kernels of this device, so it does not show its utilization.";
  const double resident = share(device.kernel_resident_us, std::max(device.span_us, judged_us));
  auto text =
      fmt::format("{} (any kernel resident{}): {}",
                  judged.maker == Maker::nvidia ? "Utilization as nvidia-smi shows it" : "Utilization",
                  judged_us > device.span_us ? ", of the judged time" : "", share_text(resident));
  if (device.sm_share >= 0)
    text += fmt::format(
        "; multiprocessors with work while kernels run: {}, so {} of the device's capacity in all",
        share_text(device.sm_share), share_text(resident * device.sm_share));
  else
    text += "; the trace does not say how many multiprocessors had work";
  // Where times are doubtful, or are those of the start, no rule applies.
  if (!can_be_judged(judged) || starts_up(judged)) return text + ".";
  if (resident < 1 - starved)
    text += ". Below 70 % is the common sign that something is wrong; look at the idle time above.";
  else if (device.sm_share >= 0 && device.sm_share < 0.5)
    text += ". Above 70 % the common rule sees nothing wrong, yet most of the device has no work.";
  else
    text += ". Above 70 % the common rule sees nothing wrong.";
  return text;
}

std::string launches_text(const Launches& launches) {
  const auto calls = launches.count == 1 ? fmt::format("1 launch, {}", us_text(launches.call_us))
                                         : fmt::format("{} launches, {} each in the median",
                                                       count_text(launches.count), us_text(launches.call_us));
  if (!launches.clocks_agree)
    return calls + "; how much later the work begins cannot be said: the clocks of host and device differ.";
  return fmt::format("{}; the work begins {} later (median; at most {}).", calls,
                     us_text(launches.delay_us_median), us_text(launches.delay_us_max));
}

std::string_view left_out_text(const Diagnosis& diagnosis) {
  return diagnosis.window.last_step_left_out ? " (the last step is left out: --all-steps)" : "";
}

std::string device_heading(const Diagnosis& diagnosis, const DeviceTime& device) {
  if (!diagnosis.phase.empty())
    return fmt::format("DEVICE {}: work requested in {}, {} from first to last event", device.device,
                       diagnosis.phase, us_text(device.span_us));
  return fmt::format("DEVICE {}: {} from first to last event{}", device.device, us_text(device.span_us),
                     left_out_text(diagnosis));
}

}  // namespace

std::string device_section(const Diagnosis& diagnosis, const Style& style) {
  if (diagnosis.device.empty())
    return section_heading("DEVICE", style) +
           flowing("", "The trace has no device activity; everything below is about the host.", 2, style);
  std::string out;
  for (const auto& device : diagnosis.device) {
    out += section_heading(device_heading(diagnosis, device), style);
    out += kinds_table(device, style);
    if (device.streams.size() > 1) out += streams_table(device, style);
    // Between a phase's pieces others run: how busy the device was is the verdict's to say.
    if (diagnosis.phase.empty())
      out += fmt::format("\n{}", flowing("", utilization_text(device, diagnosis.shares), 2, style));
  }
  return out;
}

std::string host_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  const auto& host = diagnosis.host;
  std::string out = section_heading(fmt::format("HOST{}", left_out_text(diagnosis)), style);
  if (host.launches.count > 0) out += flowing("", launches_text(host.launches), 2, style);
  Columns queues({"launched and not begun", "mean", "at most", "empty for"});
  for (const auto& queue : first(host.queues, showing.top)) {
    queues.add({fmt::format("stream {}", queue.stream), digits_text(queue.mean), count_text(queue.max),
                us_text(queue.empty_us)});
  }
  if (!queues.empty()) out += queues.text(style);
  if (host.data_wait_us > 0)
    out += fmt::format("  Waiting for the data loader: {}.\n", us_text(host.data_wait_us));
  if (host.waits.empty()) {
    out += "  No call waited for the device.\n";
  } else {
    Columns waits({"waiting for the device", "time", "calls", "<requested by", "<at"});
    for (const auto& wait : first(host.waits, showing.top)) {
      waits.add({wait.call, us_text(wait.us), count_text(wait.count), wait.op.empty() ? "-" : wait.op,
                 without_middle(short_site(wait.where), 40)});
    }
    out += waits.text(style);
  }
  Columns gaps({"ended the device's idle time", "idle", "gaps", "<at"});
  for (const auto& gap : first(host.gaps, std::min<std::size_t>(showing.top, 5))) {
    gaps.add({gap.op.empty() ? "(no operator)" : gap.op, us_text(gap.us), count_text(gap.count),
              without_middle(short_site(gap.where), 44)});
  }
  return out + (gaps.empty() ? "" : gaps.text(style));
}

std::string phases_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  if (diagnosis.host.phases.empty()) return "";
  Columns table({"named range", "calls", "host", "per call", "device", "per call"});
  for (const auto& phase : first(diagnosis.host.phases, showing.top)) {
    const double count = static_cast<double>(std::max<std::int64_t>(phase.count, 1));
    table.add({phase.name, count_text(phase.count), us_text(phase.host_us), us_text(phase.host_us / count),
               us_text(phase.device_us), us_text(phase.device_us / count)});
  }
  return section_heading(
             "PHASES (device time is that of the work that each range enqueued, which runs later)", style) +
         table.text(style);
}

namespace {

std::string kinds_line(const KernelSummary& kernels) {
  std::string text;
  std::array<std::size_t, kernel_kind_count> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return kernels.kind_us[i]; });
  for (const auto i : order) {
    const auto kind = static_cast<KernelKind>(i);
    if (kernels.share(kind) < 0.005) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(kind), share_text(kernels.share(kind)));
  }
  return text + fmt::format("; products and convolutions are {} of what computes.",
                            share_text(kernels.product_share()));
}

std::string durations_table(const KernelSummary& kernels, const Style& style) {
  constexpr std::array<const char*, 5> names{"below 5 us", "5 to 10 us", "10 to 100 us", "100 us to 1 ms",
                                             "1 ms or more"};
  Columns table({"duration", "kernels", "of all", "time", "of all"});
  for (std::size_t i = 0; i < kernels.durations.size(); ++i) {
    const auto& same = kernels.durations[i];
    table.add({names[i], count_text(same.count),
               share_text(share(static_cast<double>(same.count), static_cast<double>(kernels.count))),
               us_text(same.us), share_text(share(same.us, kernels.us))});
  }
  return table.text(style);
}

std::string top_kernels(const KernelSummary& kernels, std::size_t top, const Style& style) {
  Columns table({"kernel", "<kind", "calls", "time", "of all", "mean", "longest"});
  for (const auto& row : first(kernels.rows, top)) {
    table.add({short_kernel_name(row.name), std::string(to_string(row.kind)), count_text(row.count),
               us_text(row.us), share_text(share(row.us, kernels.us)),
               us_text(row.us / static_cast<double>(row.count)), us_text(row.longest_us)});
  }
  return table.text(style);
}

/// Achieved rates against the roof of the device, where it is known.
std::string intensity_table(const Diagnosis& diagnosis, std::size_t top, const Style& style) {
  Columns table(
      {"operator, from its shapes", "calls", "time", "FLOP/byte", "TFLOP/s", "GB/s", "of roof", "<bound by"});
  for (const auto& row : first(diagnosis.efforts, top)) {
    std::string roof;
    std::string bound;
    if (row.roof_us > 0 && row.device_us > 0) {
      roof = share_text(row.roof_us / row.device_us);
      bound = row.arithmetic_us >= row.memory_us ? fmt::format("arithmetic, {}", to_string(row.arithmetic))
                                                 : std::string("memory");
    }
    table.add({row.op, count_text(row.calls), us_text(row.device_us), digits_text(row.need.intensity()),
               digits_text(row.gflops() / 1e3), digits_text(row.gb_s()), roof, bound});
  }
  return table.empty() ? "" : fmt::format("\n{}", table.text(style));
}

std::string roof_line(const Diagnosis& diagnosis, const Style& style) {
  if (diagnosis.efforts.empty()) return "";
  if (diagnosis.model == nullptr)
    return "  The table of peaks does not list this device, so their distance to the roof is unknown.\n";
  const auto& model = *diagnosis.model;
  auto text = fmt::format("Peaks of {}: {} GB/s. Memory is the limit", model.name, model.bandwidth_gb_s);
  const char* lead = " below";
  for (const auto arithmetic : {Arithmetic::fp32, Arithmetic::tf32, Arithmetic::fp16}) {
    const double peak = peak_flops(model, arithmetic);
    if (peak <= 0) continue;
    text +=
        fmt::format("{} {} FLOP per byte in {} ({} TFLOP/s)", lead, digits_text(balance(model, arithmetic)),
                    to_string(arithmetic), digits_text(peak / 1e12));
    lead = ",";
  }
  text += ". ";
  const bool measured = model.source.starts_with("measured");
  return flowing("",
                 text + (measured ? model.source + "." : "docs/diagnose.md and --json name their source."), 2,
                 style);
}

}  // namespace

std::string kernels_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  const auto& kernels = diagnosis.kernels;
  if (kernels.count == 0) return "";
  const auto verdict = kernels.tiny_share >= 0.5    ? "most of them short"
                       : kernels.median_us >= 100.0 ? "few and large"
                                                    : "of mixed size";
  auto out = section_heading(
      fmt::format("KERNELS: {} in the judged time, {} per ms, median {}: {}", count_text(kernels.count),
                  digits_text(kernels.per_ms), us_text(kernels.median_us), verdict),
      style);
  out += flowing("", kinds_line(kernels), 2, style) + durations_table(kernels, style) + "\n";
  out += top_kernels(kernels, showing.top, style);
  out += intensity_table(diagnosis, showing.top, style);
  return out + roof_line(diagnosis, style);
}

namespace {

std::string plain_percent(double part, double whole) {
  return fmt::format("{:.1f}", whole > 0 ? 100 * part / whole : 0);
}

/// "86.3ms": eleven columns leave no room for blanks.
std::string tight_us(double us) {
  auto text = us_text(us);
  std::erase(text, ' ');
  return text;
}

std::string name_of(const OpRow& row) { return row.device_row ? short_kernel_name(row.name) : row.name; }

std::string times_table(const OpTable& ops, std::span<const OpRow> shown, const Style& style) {
  Columns table({"Name", "Self\nCPU %", "Self\nCPU", "CPU\ntot. %", "CPU\ntotal", "CPU\navg", "Self\nCUDA",
                 "Self\nCUDA%", "CUDA\ntotal", "CUDA\navg", "# of\nCalls"},
                1);
  for (const auto& row : shown) {
    const double calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
    table.add({name_of(row), plain_percent(row.self_cpu_us, ops.self_cpu_us), tight_us(row.self_cpu_us),
               plain_percent(row.cpu_total_us, ops.self_cpu_us), tight_us(row.cpu_total_us),
               tight_us(row.cpu_total_us / calls), tight_us(row.self_device_us),
               plain_percent(row.self_device_us, ops.self_device_us), tight_us(row.device_total_us),
               tight_us(row.device_total_us / calls), fmt::format("{}", row.calls)});
  }
  return table.text(style);
}

std::string bytes(std::int64_t count) {
  const auto text = size_text(std::abs(static_cast<double>(count)));
  return count < 0 ? fmt::format("-{}", text) : text;
}

std::string memory_table(std::span<const OpRow> shown, const Style& style) {
  Columns table({"memory taken (below 0: given back)", "Self CPU", "CPU", "Self CUDA", "CUDA", "calls"});
  for (const auto& row : shown)
    if (!row.device_row)
      table.add({name_of(row), bytes(row.self_memory.host), bytes(row.memory.host),
                 bytes(row.self_memory.device), bytes(row.memory.device), count_text(row.calls)});
  return fmt::format("\n{}", table.text(style));
}

/// Shapes and places do not fit beside eleven columns.
std::string shapes_list(std::span<const OpRow> shown, const Style& style) {
  std::string lines;
  for (const auto& row : shown)
    if (!row.shapes.empty()) lines += flowing("", fmt::format("{}: {}", name_of(row), row.shapes), 4, style);
  return lines.empty() ? lines : fmt::format("\n  {}\n{}", inked("input shapes", Ink::dim, style), lines);
}

std::string places_table(std::span<const OpRow> shown, const Style& style) {
  Columns table({"longest call of", "<at"});
  for (const auto& row : shown)
    if (!row.where.empty()) table.add({name_of(row), without_middle(short_site(row.where), 60)});
  return table.empty() ? "" : fmt::format("\n{}", table.text(style));
}

}  // namespace

std::string ops_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  auto ops = diagnosis.ops;
  if (ops.rows.empty()) return "";
  sort_rows(ops, showing.sort);
  const auto shown = first(ops.rows, showing.top);
  const auto more =
      ops.rows.size() > showing.top
          ? fmt::format("  {} more rows: --top N, or --json - for all\n", ops.rows.size() - showing.top)
          : std::string();
  auto out = section_heading("OPERATORS", style) + times_table(ops, shown, style) +
             inked(more, Ink::dim, style) +
             indented("",
                      fmt::format("Self CPU time total: {}; Self CUDA time total: {}",
                                  us_text(ops.self_cpu_us), us_text(ops.self_device_us)),
                      2, style);
  if (ops.memory_recorded) out += memory_table(shown, style);
  return out + shapes_list(shown, style) + places_table(shown, style);
}

}  // namespace harness::trace
