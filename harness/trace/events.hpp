// One event of the JSON text -> one record; what its words mean: categories, names of copies.
#pragma once

#include "harness/trace/event_arguments.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/json_walk.hpp"
#include "harness/trace/repair.hpp"
#include "harness/trace/trace.hpp"

#include <utility>

namespace harness::trace {

/// Which events something was wrong with.
struct Tally {
  std::size_t count = 0;
  std::size_t first = 0;  // number of the event, from 1 on
};

/// Fills `trace.events` and `trace.tracks`. Flow arrows and counters are passed over; of the metadata only
/// the names of processes matter.
class EventReader {
 public:
  explicit EventReader(Trace& trace) : trace_(trace) { argument_texts_.intern(""); }

  /// Reads the next event, or leaves it out where a field is missing or cannot be true. Throws Unreadable
  /// where the text is not JSON: then the event is still the next one.
  void read(JsonWalk& walk);

  /// Throws BadInput about the next event.
  [[noreturn]] void refuse(std::string_view what) const;

  /// Leaves the next event out, which is no object.
  void pass_over();

  /// Makes room for the events of the whole text, of which so much was read: a list that grows step by step
  /// is held twice while it does, and room that stays empty costs no memory.
  void make_room(std::size_t read, std::size_t whole);

  /// How the next event was repaired.
  void note(const Repaired& event);
  /// Before the event that was read last, or behind it, stood no comma or too many.
  void note_commas();
  void remark(std::string what) { trace_.remarks.push_back(std::move(what)); }

  /// Closes what is open, moves time 0 to the first event, makes the remarks, and hands the texts over.
  /// Throws BadInput where another tool has written the trace.
  void finish();

 private:
  struct Fields;
  struct Texts {
    std::deque<std::string> names, arguments;
  };

  void read_fields(JsonWalk& walk, Fields& fields);
  void add(Fields& fields);
  void close(const Fields& fields);
  void add_process(const Fields& fields);
  NameId name_of(std::string_view spelled);
  std::uint32_t track(std::string_view pid, std::string_view tid);
  void leave_out(std::string_view why);
  void count(Tally& tally);
  void make_remarks();

  Trace& trace_;
  Interner names_;
  Interner argument_texts_;
  ArgumentReader arguments_;
  Interner ids_;                                             // of processes and threads
  std::unordered_map<std::uint64_t, std::uint32_t> tracks_;  // by both
  std::uint32_t last_track_ = 0;
  std::vector<std::vector<EventId>> open_;  // by track: begun ("B") and not yet ended ("E")
  std::vector<std::string> processes_;      // their names and labels
  std::vector<std::string> accelerators_;   // pids of processes whose names are an accelerator's
  std::vector<std::string> labeled_;        // pids of those that only have its label
  std::string category_;                    // of the first event whose category is unknown
  bool listed_ = false;                     // by autograd's profiler
  bool phased_ = false;                     // an object was an event
  std::size_t seen_ = 0;                    // events read so far, those passed over included
  Tally bytes_, controls_, backslashes_, commas_;
  std::map<std::string_view, Tally> left_out_;  // by why, in words that last
};

/// The kind that a category stands for, today's words and those of 2021.
Kind kind_of(std::string_view category);

/// What the name of a copy says: "Memcpy HtoD (Pageable -> Device)", "CopyHostToDevice".
struct CopyRoute {
  Direction direction = Direction::none;
  HostMemory host_memory = HostMemory::unknown;
};
CopyRoute route_of(std::string_view name);

}  // namespace harness::trace
