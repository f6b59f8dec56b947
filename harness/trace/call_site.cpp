// Which line of the program an operator, or a time without one, belongs to.
#include "harness/trace/intern.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

/// A frame of torch itself, of the interpreter, or of a module's own bookkeeping.
bool is_internal(std::string_view frame) {
  return frame.empty() || frame.starts_with("<") || frame.starts_with("nn.Module: ") ||
         frame.starts_with("torch/") || frame.starts_with("torch\\") || frame.starts_with("contextlib.py(") ||
         has_any(frame, {"/torch/", "\\torch\\", "/contextlib.py(", "\\contextlib.py("});
}

/// What a user calls for reading, writing and computing; the line that calls it says more.
constexpr auto libraries =
    std::to_array<std::string_view>({"PIL",         "_bootlocale", "base64",   "codecs",    "collections",
                                     "concurrent",  "copy",        "csv",      "cv2",       "encodings",
                                     "glob",        "gzip",        "h5py",     "http",      "imageio",
                                     "io",          "json",        "logging",  "lzma",      "numpy",
                                     "os",          "pandas",      "pathlib",  "pickle",    "multiprocessing",
                                     "queue",       "random",      "re",       "requests",  "scipy",
                                     "selectors",   "shutil",      "skimage",  "socket",    "ssl",
                                     "subprocess",  "tarfile",     "tempfile", "threading", "tokenizers",
                                     "torchvision", "tqdm",        "urllib",   "warnings",  "yaml",
                                     "zipfile"});

bool is_library(std::string_view frame) {
  if (frame.find("/site-packages/") != std::string_view::npos ||
      frame.find("/lib/python") != std::string_view::npos)
    return true;
  auto first = frame.substr(0, std::min(frame.find('/'), frame.find('(')));
  if (first.ends_with(".py")) first.remove_suffix(3);
  return std::ranges::find(libraries, first) != libraries.end();
}

/// The first frame of a recorded stack ("file(12): f;file(34): g", innermost first) that is the user's own.
std::string_view own_frame(std::string_view stack) {
  const std::string_view innermost = stack.substr(0, stack.find(';'));
  while (!stack.empty()) {
    const std::string_view frame = stack.substr(0, stack.find(';'));
    if (!is_internal(frame)) return frame;
    stack.remove_prefix(frame.size() < stack.size() ? frame.size() + 1 : stack.size());
  }
  return innermost;
}

struct Frame {
  std::int64_t ns = 0;
  int depth = 0;
};

int depth_of(const Nesting& nesting, EventId event) {
  int depth = 0;
  for (auto outer = nesting.python[event]; outer != no_event; outer = nesting.python[outer]) ++depth;
  return depth;
}

}  // namespace

std::string call_site(const Trace& trace, const Nesting& nesting, EventId event) {
  EventId innermost = no_event;
  for (EventId frame = nesting.python[event]; frame != no_event; frame = nesting.python[frame]) {
    const std::string_view name = trace.name(trace.events[frame]);
    if (!is_internal(name)) return std::string(name);
    if (innermost == no_event && !name.starts_with("<")) innermost = frame;
  }
  if (innermost != no_event) return std::string(trace.name(trace.events[innermost]));
  for (EventId op = event; op != no_event; op = nesting.parent[op]) {
    const std::string stack = text_argument(trace, trace.events[op], "Call stack");
    if (!stack.empty()) return printable(own_frame(stack));
  }
  return {};
}

std::string frame_within(const Trace& trace, const Nesting& nesting, std::uint32_t track, std::int64_t begin,
                         std::int64_t end) {
  std::unordered_map<NameId, Frame> frames;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::python_function || event.track != track || event.ts >= end ||
        event.end() <= begin)
      continue;
    const auto name = trace.name(event);
    if (is_internal(name) || is_library(name)) continue;
    auto& frame = frames[event.name];
    frame.ns += std::min(event.end(), end) - std::max(event.ts, begin);
    frame.depth = std::max(frame.depth, depth_of(nesting, id));
  }
  const std::pair<const NameId, Frame>* innermost = nullptr;
  for (const auto& frame : frames)
    if (2 * frame.second.ns >= end - begin &&
        (innermost == nullptr || std::pair(frame.second.depth, frame.second.ns) >
                                     std::pair(innermost->second.depth, innermost->second.ns)))
      innermost = &frame;
  return innermost == nullptr ? "" : std::string(trace.names[innermost->first]);
}

}  // namespace harness::trace
