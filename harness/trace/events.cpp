#include "harness/trace/events.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/accelerators.hpp"
#include "harness/trace/foreign.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>

namespace harness::trace {
namespace {

/// Ranges stood among the operators in 2021; no operator has a '#' in its name.
bool names_range(std::string_view name) { return name.find('#') != std::string_view::npos; }

/// Autograd's profiler, which torch.profiler is where there is no Kineto, exports its operators without
/// categories, in a process of this name, with an arrow to each kernel, but no kernels.
constexpr std::string_view listing_process = "CPU functions";
constexpr std::string_view arrow_to = "cpu_to_";  // its category: "cpu_to_cuda"

constexpr std::string_view no_object = "it is not a JSON object";
constexpr std::string_view no_name = "its \"name\" is not a string";
constexpr std::string_view no_begin = "its \"ts\" is not a time in microseconds";
constexpr std::string_view no_length = "its \"dur\" is not a time in microseconds";
constexpr std::string_view no_end = "its end is not a time in microseconds";
constexpr std::string_view below_0 = "it lasts less than 0";

bool is_string(std::string_view token) { return token.size() >= 2 && token.front() == '"'; }

}  // namespace

/// The fields of one event as tokens of the text, empty where missing; its arguments already stand in the
/// record.
struct EventReader::Fields {
  char phase = 0;
  std::string_view name, category, pid, tid, ts, dur;
  std::string_view label;  // of a process
  Event event;
};

void EventReader::refuse(std::string_view what) const {
  throw BadInput(fmt::format("{}: event {}: {}", trace_.file, seen_ + 1, what));
}

std::uint32_t EventReader::track(std::string_view pid, std::string_view tid) {
  auto& tracks = trace_.tracks;
  if (!tracks.empty() && tracks[last_track_].pid == pid && tracks[last_track_].tid == tid) return last_track_;
  const auto key = std::uint64_t{ids_.intern(pid)} << 32 | ids_.intern(tid);
  const auto [known, added] = tracks_.try_emplace(key, static_cast<std::uint32_t>(tracks.size()));
  if (added) {
    tracks.push_back({std::string(pid), std::string(tid)});
    open_.emplace_back();
  }
  return last_track_ = known->second;
}

NameId EventReader::name_of(std::string_view spelled) {
  if (spelled.find('\\') == std::string_view::npos)
    if (const auto known = names_.find(spelled)) return *known;
  const auto name = understood(spelled);
  if (name.backslashes) count(backslashes_);
  return names_.intern(printable(name.text));
}

void EventReader::count(Tally& tally) {
  if (tally.count++ == 0) tally.first = seen_ + 1;
}

void EventReader::leave_out(std::string_view why) { count(left_out_[why]); }

void EventReader::pass_over() {
  leave_out(no_object);
  ++seen_;
}

void EventReader::make_room(std::size_t read, std::size_t whole) {
  constexpr double spare = 1.25;  // so that events that become shorter by and by move rarely
  auto& events = trace_.events;
  const double expected =
      static_cast<double>(events.size()) * static_cast<double>(whole) / static_cast<double>(read);
  if (expected > static_cast<double>(events.capacity()))
    events.reserve(static_cast<std::size_t>(spare * expected));
}

void EventReader::note_commas() {
  if (commas_.count++ == 0) commas_.first = seen_;
}

void EventReader::note(const Repaired& event) {
  if (event.bytes) count(bytes_);
  if (event.controls) count(controls_);
  if (event.backslashes) count(backslashes_);
}

void EventReader::read_fields(JsonWalk& walk, Fields& fields) {
  arguments_.begin();
  walk.members([&](std::string_view key) {
    if (is_key(key, "args")) return arguments_.read(walk, fields.event, fields.label);
    const auto token = walk.value();
    if (is_key(key, "ph")) {
      fields.phase = token.size() == 3 && token[0] == '"' ? token[1] : '\0';
    } else if (is_key(key, "name")) {
      fields.name = token;
    } else if (is_key(key, "cat")) {
      fields.category = unquoted(token);
    } else if (is_key(key, "ts")) {
      fields.ts = token;
    } else if (is_key(key, "dur")) {
      fields.dur = token;
    } else if (is_key(key, "pid")) {
      fields.pid = unquoted(token);
    } else if (is_key(key, "tid")) {
      fields.tid = unquoted(token);
    }
  });
}

void EventReader::add(Fields& fields) {
  Event& event = fields.event;
  const auto begin = nanoseconds(fields.ts);
  const auto length = fields.phase == 'X' ? nanoseconds(fields.dur) : std::optional<std::int64_t>(0);
  const bool whole = is_string(fields.name) && begin && length && *length >= 0;
  event.kind = kind_of(fields.category);
  if (fields.category.empty() && fields.pid == listing_process) {
    event.kind = Kind::cpu_op;
    listed_ = true;
  }
  const auto name = is_string(fields.name) ? unquoted(fields.name) : std::string_view();
  if (fields.phase == 'i') {
    if (name != "[memory]") return;
    event.kind = Kind::memory;
  }
  if (!whole) {
    if (fields.phase == 'B') open_[track(fields.pid, fields.tid)].push_back(no_event);
    return leave_out(!is_string(fields.name) ? no_name : !begin ? no_begin : !length ? no_length : below_0);
  }
  event.ts = *begin;
  event.dur = *length;
  event.name = name_of(name);
  if (event.kind == Kind::cpu_op && names_range(names_.texts[event.name])) event.kind = Kind::user_annotation;
  if (event.kind == Kind::other && category_.empty()) category_ = fields.category;
  event.args = argument_texts_.intern(arguments_.text());
  event.track = track(fields.pid, fields.tid);
  if (on_device(event.kind)) {
    if (event.device < 0) event.device = small(number_of(fields.pid));
    if (event.stream < 0) event.stream = small(trailing_number(fields.tid));
  }
  if (event.kind == Kind::memcpy) {
    const CopyRoute route = route_of(names_.texts[event.name]);
    event.direction = route.direction;
    event.host_memory = route.host_memory;
  }
  if (fields.phase == 'B') open_[event.track].push_back(static_cast<EventId>(trace_.events.size()));
  trace_.events.push_back(event);
}

void EventReader::close(const Fields& fields) {
  const auto end = nanoseconds(fields.ts);
  auto& open = open_[track(fields.pid, fields.tid)];
  if (open.empty()) return;
  const auto begun = open.back();
  open.pop_back();
  if (begun == no_event) return;
  Event& event = trace_.events[begun];
  if (end) {
    event.dur = std::max<std::int64_t>(*end - event.ts, 0);
    return;
  }
  event.kind = Kind::other;
  leave_out(no_end);
}

void EventReader::add_process(const Fields& fields) {
  const auto what = unquoted(fields.name);
  if (fields.label.empty() || (what != "process_name" && what != "process_labels")) return;
  processes_.emplace_back(fields.label);
  if (is_accelerator(fields.label))
    (what == "process_name" ? accelerators_ : labeled_).emplace_back(fields.pid);
}

void EventReader::read(JsonWalk& walk) {
  Fields fields;
  read_fields(walk, fields);
  phased_ = phased_ || fields.phase != '\0';
  if (fields.phase == 'M') add_process(fields);
  if (fields.phase == 'E') close(fields);
  if (fields.phase == 'X' || fields.phase == 'B' || fields.phase == 'i') add(fields);
  if (fields.phase == 's' && fields.category.starts_with(arrow_to))
    trace_.works_on = fields.category.substr(arrow_to.size());
  ++seen_;
}

void EventReader::make_remarks() {
  const auto remark_on = [&](const Tally& tally, std::string_view what) {
    if (tally.count == 0) return;
    const auto more = tally.count == 1 ? "" : fmt::format(" and {} more", tally.count - 1);
    remark(fmt::format("{}: event {}{}", what, tally.first, more));
  };
  remark_on(bytes_, "bytes that are not UTF-8 were replaced");
  remark_on(controls_, "control characters in a text were replaced");
  remark_on(backslashes_, "backslashes that are not escaped were kept");
  remark_on(commas_, "commas between events are missing or too many");
  for (const auto& [why, tally] : left_out_) remark_on(tally, fmt::format("left out, because {}", why));
  if (listed_)
    remark("a list of operators by autograd's profiler: it has no kernels, no calls and no stacks");
}

void EventReader::finish() {
  make_remarks();
  if (trace_.events.empty() && !left_out_.empty())
    throw BadInput(fmt::format("{}: this trace has no event that can be read; {}", trace_.file,
                               fmt::join(trace_.remarks, "; ")));
  if (trace_.events.empty() && seen_ > 0 && !phased_)
    throw BadInput(
        fmt::format("{}: this JSON is not a trace: none of its {} objects is an event, with a \"ph\"",
                    trace_.file, seen_));
  require_own(trace_, category_, processes_);
  // Beside the process that is called so those with the label alone hold what was derived from it.
  mark_accelerators(trace_, accelerators_.empty() ? labeled_ : accelerators_);
  std::int64_t first = farthest_ns;
  for (const Event& event : trace_.events) first = std::min(first, event.ts);
  for (Event& event : trace_.events) event.ts -= first;
  trace_.origin = first;
  auto texts = std::make_shared<Texts>(Texts{std::move(names_.texts), std::move(argument_texts_.texts)});
  trace_.names.assign(texts->names.begin(), texts->names.end());
  trace_.arguments.assign(texts->arguments.begin(), texts->arguments.end());
  trace_.storage = std::move(texts);
}

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 20> categories = {{
    {"cpu_op", Kind::cpu_op},
    {"Operator", Kind::cpu_op},
    {"kernel", Kind::kernel},
    {"Kernel", Kind::kernel},
    {"cuda_runtime", Kind::runtime},
    {"Runtime", Kind::runtime},
    {"cuda_driver", Kind::driver},
    {"gpu_memcpy", Kind::memcpy},
    {"Memcpy", Kind::memcpy},
    {"gpu_memset", Kind::memset},
    {"Memset", Kind::memset},
    {"user_annotation", Kind::user_annotation},
    {"gpu_user_annotation", Kind::gpu_user_annotation},
    {"python_function", Kind::python_function},
    {"cuda_sync", Kind::sync},
    {"overhead", Kind::overhead},
    {"Trace", Kind::profiler},
    {"mtia_ccp_events", Kind::accelerator},
    {"hpu_op", Kind::accelerator},
    {"privateuse1_kernel", Kind::accelerator},
}};

/// By Direction: how the name of a copy spells it, today and elsewhere.
constexpr std::array<std::array<std::string_view, 2>, 6> directions{{{"none", "none"},
                                                                     {"HtoD", "HostToDevice"},
                                                                     {"DtoH", "DeviceToHost"},
                                                                     {"DtoD", "DeviceToDevice"},
                                                                     {"HtoH", "HostToHost"},
                                                                     {"PtoP", "PeerToPeer"}}};

}  // namespace

Kind kind_of(std::string_view category) {
  for (const auto& [word, kind] : categories)
    if (word == category) return kind;
  if (category.ends_with("_runtime")) return Kind::runtime;
  if (category.ends_with("_driver")) return Kind::driver;
  return Kind::other;
}

CopyRoute route_of(std::string_view name) {
  CopyRoute route;
  for (std::size_t i = 1; i < directions.size() && route.direction == Direction::none; ++i)
    if (has_any(name, {directions[i][0], directions[i][1]})) route.direction = static_cast<Direction>(i);
  if (has_any(name, {"Pageable"})) route.host_memory = HostMemory::pageable;
  if (has_any(name, {"Pinned"})) route.host_memory = HostMemory::pinned;
  return route;
}

bool crosses_bus(const Event& event) {
  return event.kind == Kind::memcpy &&
         (event.direction == Direction::host_to_device || event.direction == Direction::device_to_host);
}

bool on_device(Kind kind) {
  return kind == Kind::kernel || kind == Kind::memcpy || kind == Kind::memset || kind == Kind::accelerator;
}

std::string_view to_string(Direction direction) { return directions[static_cast<std::size_t>(direction)][0]; }

std::string_view to_string(HostMemory memory) {
  constexpr std::array<std::string_view, 3> names{"unknown", "pageable", "pinned"};
  return names[static_cast<std::size_t>(memory)];
}

}  // namespace harness::trace
