#include "harness/trace/event_list.hpp"

#include "harness/support/text.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/repair.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

std::string why_unreadable(const Repaired& event, const char* grammar_says) {
  if (!event.odd_string.empty())
    return fmt::format("its JSON breaks off after {}: does a name hold a quote that is not escaped?",
                       shown(unquoted(event.odd_string)));
  if (event.odd_bracket) return "unreadable JSON: its closing bracket is missing";
  return event.whole ? fmt::format("unreadable JSON: {}", grammar_says)
                     : std::string("the file ends within it; it was cut short");
}

}  // namespace

std::size_t EventList::read(std::size_t at) {
  std::size_t one_by_one = 0;  // up to there
  for (;;) {
    for (; at < text_.size() && (is_json_blank(text_.data()[at]) || text_.data()[at] == ','); ++at)
      if (text_.data()[at] == ',') ++commas_;
    if (at == text_.size() || text_.data()[at] == ']' || text_.data()[at] == '}') return behind_list(at);
    if (at >= one_by_one) {
      text_.forget(at);
      const auto comma = last_comma(at);
      one_by_one = comma > 0 ? comma : at + window_;
      if (comma > 0) {
        at = read_window(at, comma);
        continue;
      }
    }
    at = read_one(at);
  }
}

/// The place of the last comma between two events that begin in the window; 0: there is none.
std::size_t EventList::last_comma(std::size_t begin) const {
  const char* text = text_.data();
  auto at = std::min(begin + window_, text_.size()) - 1;
  const auto skip_blanks = [&] {
    while (at > begin && is_json_blank(text[at])) --at;
  };
  for (; at > begin; --at) {
    if (text[at] != '{') continue;
    --at;
    skip_blanks();
    if (text[at] != ',') {
      ++at;
      continue;
    }
    const auto comma = at--;
    skip_blanks();
    if (text[at] == '}') return comma;
    ++at;
  }
  return 0;
}

/// Returns the place of the comma, or of the first event that could not be read like this.
std::size_t EventList::read_window(std::size_t begin, std::size_t comma) {
  std::size_t event = begin;
  try {
    walk_.open(text_.view().substr(begin, comma - begin));
    for (;;) {
      while (walk_.take(',')) ++commas_;
      event = begin + walk_.place();
      if (walk_.peek() != '{') return event;
      reader_.read(walk_);
      count_event();
    }
  } catch (const Unreadable&) {
    return event;
  }
}

std::size_t EventList::read_one(std::size_t begin) {
  if (text_.data()[begin] != '{') return pass_over(begin);
  const auto event = repaired(text_.view().substr(begin));
  if (!event.whole) reader_.refuse(why_unreadable(event, ""));
  try {
    walk_.open(event.text);
    reader_.note(event);
    reader_.read(walk_);
  } catch (const Unreadable& error) {
    reader_.refuse(why_unreadable(event, error.why));
  }
  count_event();
  return begin + event.length;
}

/// Leaves out a value that is not an object, and keeps the rest of the trace. Returns the place behind it.
std::size_t EventList::pass_over(std::size_t begin) {
  const auto rest = text_.view().substr(begin);
  std::string_view value;
  try {
    walk_.open(rest.substr(0, value_length(rest)));
    value = walk_.value();
  } catch (const Unreadable&) {
    value = {};  // refused below
  }
  const bool word = value == "null" || value == "true" || value == "false";
  const bool other = !value.empty() && std::string_view("[\"-0123456789").find(value.front()) != value.npos;
  if (!word && !other) reader_.refuse("it is not a JSON object");
  reader_.pass_over();
  count_event();
  return begin + walk_.place();
}

void EventList::count_event() {
  if (commas_ != (first_ ? 0 : 1)) reader_.note_commas();
  first_ = false;
  commas_ = 0;
}

/// One last comma is usual.
std::size_t EventList::behind_list(std::size_t at) {
  if (commas_ > 1) reader_.note_commas();
  if (at < text_.size() && text_.data()[at] == ']') return at + 1;
  reader_.remark("the list of events is not closed, so the file may have been cut short");
  return at;
}

}  // namespace harness::trace
