#include "harness/trace/accelerators.hpp"

#include "harness/trace/efforts.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <iterator>
#include <set>

namespace harness::trace {
namespace {

/// As processes spell them. Apple's MPS, Intel's XPU, Habana's HPU, Meta's MTIA, Google's TPU (behind XLA),
/// Graphcore's IPU, Cambricon's MLU, Moore Threads' MUSA, Enflame's GCU, Amazon's Neuron, and NPU of Ascend
/// and others.
constexpr std::array<std::string_view, 14> accelerator_kinds{"NPU", "XPU",    "HPU",    "MPS",       "MTIA",
                                                             "TPU", "XLA",    "IPU",    "MLU",       "MUSA",
                                                             "GCU", "Ascend", "Neuron", "NeuronCore"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool same_letter(char a, char b) { return upper(a) == upper(b); }

/// True if `word` stands in the text with no letter before or behind it.
template <typename Same>
bool has_word(std::string_view text, std::string_view word, Same same) {
  for (auto from = text.begin();;) {
    const auto found = std::search(from, text.end(), word.begin(), word.end(), same);
    if (found == text.end()) return false;
    const auto behind = found + static_cast<std::ptrdiff_t>(word.size());
    if ((found == text.begin() || !is_letter(*(found - 1))) && (behind == text.end() || !is_letter(*behind)))
      return true;
    from = found + 1;
  }
}

/// Operators and collectives that only a GPU has, but for questions that operators ask on every device:
/// whether cuDNN would do.
bool shows_gpu(std::string_view op) {
  if (op.starts_with("nccl:") ||
      has_any(op, {"_efficient_attention", "aten::_flash_attention_", "thnn_fused"}))
    return true;
  return has_any(op, {"cudnn", "miopen", "cuda", "cublas"}) && op != "aten::cudnn_is_acceptable" &&
         !op.starts_with("aten::_use_cudnn") && !op.starts_with("aten::_use_miopen");
}

Maker maker_of_call(std::string_view call) {
  const bool driver = call.size() > 2 && call.starts_with("cu") && call[2] >= 'A' && call[2] <= 'Z';
  if (driver || call.starts_with("cuda")) return Maker::nvidia;
  return call.starts_with("hip") ? Maker::amd : Maker::other;
}

}  // namespace

Maker maker_of(const Trace& trace) {
  auto maker = Maker::unknown;
  std::vector<bool> seen(trace.names.size());
  for (const Event& event : trace.events) {
    if (!is_call(event.kind) || seen[event.name]) continue;
    seen[event.name] = true;
    maker = maker_of_call(trace.name(event));
    if (maker != Maker::other) return maker;  // theirs may have notes of their own beside them
  }
  if (maker != Maker::unknown || trace.devices.empty()) return maker;
  const auto& name = trace.devices.front().name;
  if (has_any(name, {"NVIDIA", "GeForce", "Tesla", "Quadro", "TITAN"})) return Maker::nvidia;
  if (has_any(name, {"AMD", "Radeon", "Instinct"})) return Maker::amd;
  return name.empty() || peaks_of(trace.devices.front()) != nullptr ? Maker::unknown : Maker::other;
}

bool is_accelerator(std::string_view process) {
  return std::ranges::any_of(accelerator_kinds, [&](std::string_view kind) {
    return has_word(process, kind, std::equal_to<char>());
  });
}

void mark_accelerators(Trace& trace, std::span<const std::string> pids) {
  std::vector<std::string_view> devices;  // by number: the pid
  std::vector<std::int32_t> device_of(trace.tracks.size(), -1);
  for (std::size_t track = 0; track < device_of.size(); ++track) {
    const auto& pid = trace.tracks[track].pid;
    if (std::ranges::find(pids, pid) == pids.end()) continue;
    const auto known = std::ranges::find(devices, pid) - devices.begin();
    if (known == std::ssize(devices)) devices.push_back(pid);
    device_of[track] = static_cast<std::int32_t>(known);
  }
  for (Event& event : trace.events) {
    if (event.kind != Kind::other || device_of[event.track] < 0) continue;
    event.kind = Kind::accelerator;
    event.device = device_of[event.track];
    event.stream = small(trailing_number(trace.tracks[event.track].tid));
  }
}

std::string_view accelerator_of(std::string_view op) {
  const auto named = std::ranges::find_if(
      accelerator_kinds, [&](std::string_view kind) { return has_word(op, kind, same_letter); });
  return named == accelerator_kinds.end() ? std::string_view() : *named;
}

namespace {

/// Operators that of the devices of NVIDIA and AMD and a processor only this one runs.
bool shows_processor(std::string_view op) {
  return has_any(op,
                 {"mkldnn", "onednn", "mkl::", "_mkl_", "_for_cpu", "nnpack", "fbgemm_linear", "cpp_fused_"});
}

/// True if the time of the thread that calls most shows that a processor ran what it called. Autograd runs
/// the nodes of a GPU in a thread of their own, those of a processor in the one that asks; and most of the
/// time may go to operators that only a processor has.
bool runs_on_processor(const Trace& trace) {
  std::map<std::uint32_t, std::int64_t> calling;  // by thread: its outermost operators but for those nodes
  std::map<std::uint32_t, std::int64_t> of_processor;
  std::set<std::uint32_t> backwards;
  for (const auto id : trace.nesting.order) {
    const Event& event = trace.events[id];
    if (event.kind != Kind::cpu_op) continue;
    const auto name = trace.name(event);
    if (name.starts_with(autograd_engine))
      backwards.insert(event.track);
    else if (!within_operator(trace, id))
      calling[event.track] += event.dur + 1;
    if (!trace.nesting.within_same[id] && shows_processor(name)) of_processor[event.track] += event.dur;
  }
  if (calling.empty()) return false;
  const auto [thread, us] =
      *std::ranges::max_element(calling, {}, [](const auto& each) { return each.second; });
  if (!backwards.empty()) return backwards == std::set{thread};
  return 2 * of_processor[thread] > us && maker_of(trace) != Maker::other;
}

}  // namespace

std::string_view named_device(const Trace& trace) {
  if (!trace.works_on.empty()) {
    const auto kind = accelerator_of(trace.works_on);
    return kind.empty() ? "GPU" : kind;
  }
  // A GPU that is in the machine need not be one that the program uses.
  bool gpu = !trace.devices.empty() && !runs_on_processor(trace);
  std::vector<bool> seen(trace.names.size());
  for (const Event& event : trace.events) {
    gpu = gpu || is_call(event.kind) || on_device(event.kind);
    // Only operators: an optimizer's Python asks torch.cuda.is_available() on the CPU, too.
    if (event.kind != Kind::cpu_op || seen[event.name]) continue;
    seen[event.name] = true;
    const auto name = trace.name(event);
    if (const auto kind = accelerator_of(name); !kind.empty()) return kind;
    gpu = gpu || shows_gpu(name);
  }
  return gpu ? "GPU" : "";
}

}  // namespace harness::trace
