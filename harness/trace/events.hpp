// One event of the JSON text -> one record.
#pragma once

#include "harness/trace/intern.hpp"
#include "harness/trace/trace.hpp"

#include <simdjson.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace harness::trace {

/// Fills `trace.events` and `trace.tracks`. Flow arrows, counters and metadata events are passed over.
class EventReader {
 public:
  explicit EventReader(Trace& trace) : trace_(trace) {}

  /// Reads the next event. Throws BadInput where a field is missing or of the wrong type, simdjson_error
  /// where the text is no JSON.
  void read(simdjson::ondemand::object object, simdjson::ondemand::document& document);

  /// Throws BadInput: the next entry of the list is not an object.
  [[noreturn]] void refuse_next();

  /// How many events the list has held so far, those passed over included.
  std::size_t seen() const { return seen_; }

  /// Closes what is open, moves time 0 to the first event and hands the names over.
  Interner finish();

 private:
  struct Fields;
  struct TrackKey {
    std::string_view pid;
    std::string_view tid;
    bool operator==(const TrackKey&) const = default;
  };
  struct TrackHash {
    std::size_t operator()(const TrackKey& key) const;
  };

  using Document = simdjson::ondemand::document;
  bool read_fields(simdjson::ondemand::object& event, Document& document, Fields& fields) const;
  void read_arguments(simdjson::ondemand::value& value, Document& document, Event& event) const;
  void add(Fields& fields);
  void close(const Fields& fields);
  std::uint32_t track(std::string_view pid, std::string_view tid);
  std::int64_t time(std::string_view token, std::string_view field) const;
  [[noreturn]] void refuse(std::string_view what) const;

  Trace& trace_;
  Interner names_;
  std::unordered_map<TrackKey, std::uint32_t, TrackHash> tracks_;
  std::vector<std::vector<EventId>> open_;  // by track: begun ("B") and not yet ended ("E")
  std::size_t seen_ = 0;
};

}  // namespace harness::trace
