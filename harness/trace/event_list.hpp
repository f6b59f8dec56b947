// The list of events, a window of the text after the other: what has been read need not stay in memory, and
// what one event has wrong costs the others nothing.
#pragma once

#include "harness/trace/events.hpp"
#include "harness/trace/json_walk.hpp"
#include "harness/trace/trace_text.hpp"

namespace harness::trace {

class EventList {
 public:
  /// `text` is given back as far as it was read.
  EventList(Text& text, EventReader& reader, std::size_t window)
      : text_(text), reader_(reader), window_(window) {}

  /// Reads the events behind the bracket that ends at `at`. Returns the place behind the list; where nobody
  /// closed it, that of its end, with a remark. Throws BadInput.
  std::size_t read(std::size_t at);

 private:
  std::size_t last_comma(std::size_t begin) const;
  std::size_t read_window(std::size_t begin, std::size_t comma);
  std::size_t read_one(std::size_t begin);
  std::size_t pass_over(std::size_t begin);
  std::size_t behind_list(std::size_t at);
  void count_event();

  Text& text_;
  EventReader& reader_;
  std::size_t window_;
  std::size_t commas_ = 0;  // behind the last event that was read
  bool first_ = true;       // none was
  JsonWalk walk_;
};

}  // namespace harness::trace
