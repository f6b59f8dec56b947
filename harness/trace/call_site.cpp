// Which line of the program an operator, or a time without one, belongs to.
#include "harness/trace/intern.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/trace_text.hpp"

#include <array>
#include <iterator>
#include <utility>

namespace harness::trace {
namespace {

/// A frame of torch itself, of the interpreter, of a module's own bookkeeping, or of our recorder.
bool is_internal(std::string_view frame) {
  return frame.empty() || frame.starts_with("<") || frame.starts_with("nn.Module: ") ||
         frame.starts_with("torch/") || frame.starts_with("torch\\") || frame.starts_with("contextlib.py(") ||
         has_any(frame, {"/torch/", "\\torch\\", "/contextlib.py(", "\\contextlib.py(", ".tuneproof-"});
}

/// What a user calls for reading, writing and computing; the line that calls it says more.
constexpr std::string_view libraries =
    "PIL _bootlocale asyncio base64 codecs collections comet_ml concurrent copy csv cv2 encodings glob "
    "gzip h5py http imageio io json logging lzma matplotlib mlflow multiprocessing neptune numpy os "
    "pandas pathlib pickle queue random re requests scipy selectors shutil skimage socket ssl subprocess "
    "tarfile tempfile tensorboard tensorboardX threading tokenizers torchvision tqdm urllib wandb "
    "warnings yaml zipfile";

/// "torch_geometric" of "torch_geometric/utils/_scatter.py(14): scatter".
std::string_view package_of(std::string_view frame) {
  auto first = frame.substr(0, frame.find_first_of("/\\("));
  if (first.ends_with(".py")) first.remove_suffix(3);
  return first;
}

/// Of what the recorder knew to be installed.
bool is_package(const Trace& trace, std::string_view frame) {
  return std::ranges::binary_search(trace.program.packages, package_of(frame));
}

bool is_library(const Trace& trace, std::string_view frame) {
  return has_any(frame, {"/site-packages/", "\\site-packages\\", "/lib/python"}) ||
         is_word_of(libraries, package_of(frame)) || is_package(trace, frame);
}

/// A piece of a function that Python runs as a function of its own: "train.py(7): <genexpr>", "<lambda>".
bool is_piece(std::string_view frame) { return frame.ends_with('>') && !frame.ends_with(": <module>"); }

std::string_view file_of(std::string_view frame) { return frame.substr(0, frame.rfind('(')); }

/// Of the frames of a stack, innermost first, the one that is the user's own: a function rather than a piece
/// of it. Where none is, that of a package that was installed; else torch's.
std::string_view own_frame(const Trace& trace, const std::vector<std::string_view>& stack) {
  const auto named = [](std::string_view frame) { return !frame.empty() && !frame.starts_with('<'); };
  auto own = std::ranges::find_if(
      stack, [&](std::string_view frame) { return !is_internal(frame) && !is_package(trace, frame); });
  if (own == stack.end())
    own = std::ranges::find_if(stack, [](std::string_view frame) { return !is_internal(frame); });
  if (own == stack.end()) {
    const auto torch = std::ranges::find_if(stack, named);
    return torch == stack.end() ? "" : *torch;
  }
  if (!is_piece(*own)) return *own;
  const auto around = std::find_if(std::next(own), stack.end(),
                                   [&](std::string_view frame) { return named(frame) && !is_piece(frame); });
  const bool function =
      around != stack.end() && file_of(*around) == file_of(*own) && !around->ends_with(": <module>");
  return function ? *around : *own;
}

/// This event and the Python frames around it.
std::vector<std::string_view> stack_from(const Trace& trace, EventId innermost) {
  std::vector<std::string_view> stack;
  for (auto frame = innermost; frame != no_event; frame = trace.nesting.python[frame])
    stack.push_back(trace.name(frame));
  return stack;
}

/// "train.py(42): f" as "train.py: f".
std::string without_line(std::string_view frame) {
  const auto begin = frame.rfind('('), end = frame.find("): ", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::string(frame);
  return std::string(frame.substr(0, begin)) + std::string(frame.substr(end + 1));
}

/// The user's own of this frame and those around it; "" where there is none.
std::string own_of(const Trace& trace, EventId innermost) {
  const auto own = own_frame(trace, stack_from(trace, innermost));
  auto frame = innermost;
  while (frame != no_event && trace.name(frame) != own) frame = trace.nesting.python[frame];
  const bool was_open = frame != no_event && std::ranges::binary_search(trace.nesting.open_before, frame);
  return was_open ? without_line(own) : std::string(own);
}

/// The frames of a recorded stack: "file(12): f;file(34): g".
std::vector<std::string_view> frames_of(std::string_view text) {
  std::vector<std::string_view> stack;
  while (!text.empty()) stack.push_back(taken(text, ';'));
  return stack;
}

struct Frame {
  EventId id = no_event;
  std::int64_t ns = 0;
  int depth = 0;
};

int depth_of(const Trace& trace, EventId event) {
  int depth = 0;
  for (auto outer = trace.nesting.python[event]; outer != no_event; outer = trace.nesting.python[outer])
    ++depth;
  return depth;
}

}  // namespace

std::string call_site(const Trace& trace, EventId event) {
  if (auto frame = own_of(trace, trace.nesting.python[event]); !frame.empty()) return frame;
  for (EventId op = event; op != no_event; op = trace.nesting.parent[op]) {
    const std::string stack = text_argument(trace, trace.events[op], "Call stack");
    if (!stack.empty()) return printable(own_frame(trace, frames_of(stack)));
  }
  return {};
}

std::string frame_within(const Trace& trace, std::uint32_t track, std::int64_t begin, std::int64_t end) {
  std::unordered_map<NameId, Frame> frames;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::python_function || event.track != track || event.ts >= end ||
        event.end() <= begin)
      continue;
    const auto name = trace.name(event);
    if (is_internal(name) || is_library(trace, name)) continue;
    auto& frame = frames[event.name];
    frame.ns += std::min(event.end(), end) - std::max(event.ts, begin);
    // A call that was recorded beside the one around it knows less of its stack than the others.
    const int depth = depth_of(trace, id);
    if (frame.id != no_event && depth <= frame.depth) continue;
    frame.id = id;
    frame.depth = depth;
  }
  const std::pair<const NameId, Frame>* innermost = nullptr;
  for (const auto& frame : frames)
    if (2 * frame.second.ns >= end - begin &&
        (innermost == nullptr || std::pair(frame.second.depth, frame.second.ns) >
                                     std::pair(innermost->second.depth, innermost->second.ns)))
      innermost = &frame;
  return innermost == nullptr ? "" : own_of(trace, innermost->second.id);
}

}  // namespace harness::trace
