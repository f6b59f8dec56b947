// A PyTorch profiler trace in memory: one small record per event, names and arguments once each.
#pragma once

#include "harness/trace/program_facts.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace harness::trace {

/// What an event is, whatever the trace's age calls it (`cpu_op` of today is `Operator` of 2021).
enum class Kind : std::uint8_t {
  cpu_op,
  user_annotation,      // record_function, ProfilerStep#N, "data_wait"
  gpu_user_annotation,  // the same range as it ran on the device
  runtime,              // a call of the CUDA or HIP runtime, or of another accelerator's
  driver,               // cuLaunchKernel and its like
  kernel,
  memcpy,
  memset,
  sync,             // "Stream Sync", "Event Sync": how long a synchronization lasted
  python_function,  // with_stack: "train.py(42): step", "nn.Module: Linear_0"
  overhead,         // of the profiler itself
  memory,           // an allocation or release; `dur` is 0, `bytes` its size
  accelerator,      // work of a device that is not a GPU; the trace does not say what kind of work
  profiler,         // the span of the recording
  other,
};

/// Where a copy went, and through which host memory. "HtoD (Pageable -> Device)" is {host_to_device,
/// pageable}.
enum class Direction : std::uint8_t {
  none,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host,
  peer
};
enum class HostMemory : std::uint8_t { unknown, pageable, pinned };

using NameId = std::uint32_t;
using EventId = std::uint32_t;
inline constexpr EventId no_event = 0xffffffff;
inline constexpr std::int64_t absent = -1;  // of ids, devices, streams and sizes

/// [begin, end) in nanoseconds.
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t length() const { return end - begin; }
};

/// One event. Times are integer nanoseconds since the trace's own origin.
struct Event {
  std::int64_t ts = 0;
  std::int64_t dur = 0;
  std::int64_t correlation = absent;  // joins a runtime call to the work it asked for
  std::int64_t external_id = absent;  // joins both to the operator
  std::int64_t sequence = absent;     // of operators: the number of the next node of the autograd graph
  std::int64_t bytes = absent;        // of copies, fills and allocations (negative there: a release)
  NameId name = 0;
  std::uint32_t track = 0;  // Trace::tracks
  std::uint32_t args = 0;   // Trace::arguments; 0: the event has none
  std::int32_t device = -1;
  std::int32_t stream = -1;
  float blocks_per_sm = -1;  // of kernels; below 0: not recorded
  Kind kind = Kind::other;
  Direction direction = Direction::none;
  HostMemory host_memory = HostMemory::unknown;

  std::int64_t end() const { return ts + dur; }
  Span span() const { return {ts, end()}; }
};

/// One row of the timeline: a thread of the host, or a stream of a device.
struct Track {
  std::string pid;
  std::string tid;
};

/// What the trace says of a device; 0 and empty where it does not.
struct DeviceProperties {
  std::int64_t id = 0;
  std::string name;
  int compute_major = 0;
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
};

/// Who called whom: the operators of one thread nested by time, and what they asked of the device. All by
/// EventId; no_event where there is none. Two events nest where the inner one lies wholly within the
/// outer one; of two that overlap in part neither is the other's parent (PyTorch's rule).
struct Nesting {
  /// Of cpu_op, user_annotation, runtime and driver events: the innermost cpu_op or user_annotation around
  /// it.
  std::vector<EventId> parent;
  /// Of device events and syncs: the runtime or driver call with the same correlation.
  std::vector<EventId> launch;
  /// Of device events: the operator that asked for it (around its launch, else the one with its external id).
  std::vector<EventId> asker;
  /// Of host events: the innermost python_function around it.
  std::vector<EventId> python;
  /// Of the events that have a parent: true inside another event of the same name.
  std::vector<bool> within_same;
  /// The python_function events that were open when the profiler was started within them, in order of id.
  /// Their names hold the line at which it was started, others' that of the function's `def`.
  std::vector<EventId> open_before;
  /// The cpu_op, user_annotation, runtime and driver events, every parent before its children.
  std::vector<EventId> order;
};

/// The whole file, in the order in which it lists its events. Movable, not copyable.
struct Trace {
  std::string file;
  std::int64_t rank = absent;        // distributedInfo
  std::int64_t world_size = absent;  // distributedInfo
  bool simulated = false;            // nobody recorded it: simulate --trace wrote it
  ProgramFacts program;              // of `tuneproof watch`
  std::string works_on;     // a list of autograd's profiler has no kernels, but names their device: "cuda"
  std::int64_t origin = 0;  // ns at time 0, by the clock of the machine that recorded
  std::vector<DeviceProperties> devices;
  std::vector<Event> events;
  Nesting nesting;  // of the events as they were read
  std::vector<Track> tracks;
  std::vector<std::string> remarks;         // what was wrong in the file and read, or left out, all the same
  std::vector<std::string_view> names;      // by NameId
  std::vector<std::string_view> arguments;  // by Event::args
  std::shared_ptr<const void> storage;      // owns the names and the arguments

  std::string_view name(const Event& event) const { return names[event.name]; }
  std::string_view name(EventId id) const { return name(events[id]); }
  /// The event's arguments as JSON text: "{...}", or "" where it has none. Those that only number the event,
  /// and those that the record holds, are left out: what remains repeats from step to step.
  std::string_view args(const Event& event) const {
    return event.args == 0 ? std::string_view() : arguments[event.args];
  }
};

/// What the reader refuses to go beyond.
struct ReadLimits {
  std::uint64_t unpacked_bytes = std::uint64_t{2} << 30;  // of one file, after unpacking
  std::string flag = "--max-unpacked";                    // named where a file exceeds it
  std::size_t window = std::size_t{1} << 20;              // bytes that are parsed at a time
};

/// Reads a Kineto or Chrome trace, plain or gzip. Throws BadInput, one sentence, for anything that is none.
Trace read_trace(const std::filesystem::path& file, const ReadLimits& limits = {});

/// The same for JSON text that lies in memory; `file` only names it in messages.
Trace parse_trace(std::string_view json, const std::string& file, const ReadLimits& limits = {});

/// The trace files that `path` stands for: itself, standard input for "-", or those of a folder, sorted by
/// name: its *.pt.trace.json*, else all its *.json and *.json.gz. Throws BadInput where there is nothing.
std::vector<std::filesystem::path> trace_files(const std::filesystem::path& path);

/// One argument of an event as JSON text ("[[64,3],[]]", "\"float\"", "12"), or "" where it has none of that
/// name.
std::string_view argument(const Trace& trace, const Event& event, std::string_view name);

/// The same for an argument that is a string: unescaped, without quotes.
std::string text_argument(const Trace& trace, const Event& event, std::string_view name);

/// A call of a runtime or a driver.
constexpr bool is_call(Kind kind) { return kind == Kind::runtime || kind == Kind::driver; }
/// An operator, or a range that somebody named.
constexpr bool is_range(Kind kind) { return kind == Kind::cpu_op || kind == Kind::user_annotation; }
bool crosses_bus(const Event& event);  // a copy between host and device
bool on_device(Kind kind);             // kernel, memcpy, memset, accelerator: work that occupies a device
std::string_view to_string(Direction direction);
std::string_view to_string(HostMemory memory);

}  // namespace harness::trace
