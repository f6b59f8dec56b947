#include "harness/trace/event_list.hpp"

#include "harness/support/shown.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/repair.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::trace {
namespace {

namespace ondemand = simdjson::ondemand;

std::string why_unreadable(const Repaired& event, const char* parser_says) {
  if (!event.odd_string.empty())
    return fmt::format("its JSON breaks off behind {}: does a name hold a quote that is not escaped?",
                       shown(unquoted(event.odd_string)));
  if (event.odd_bracket) return "unreadable JSON: its closing bracket is missing";
  return event.whole ? fmt::format("unreadable JSON: {}", parser_says)
                     : std::string("the file ends within it; it was cut short");
}

/// The parser does not look at which bracket closes an event that it passes over.
bool follows_object(const char* text, std::size_t at) {
  while (is_json_blank(text[at - 1])) --at;
  if (text[--at] != ',') return false;
  while (is_json_blank(text[at - 1])) --at;
  return text[at - 1] == '}';
}

}  // namespace

std::size_t EventList::read(std::size_t at) {
  std::size_t one_by_one = 0;  // up to there
  for (;;) {
    while (at < text_.size() && (is_json_blank(text_.data()[at]) || text_.data()[at] == ',')) ++at;
    if (at == text_.size() || text_.data()[at] == ']' || text_.data()[at] == '}') return behind_list(at);
    if (at >= one_by_one) {
      text_.forget(at - 1);  // a window begins with the character before it
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
  char* text = text_.data();
  text[begin - 1] = '[';
  text[comma] = ']';
  std::size_t event = begin;
  bool is_read = false;
  bool to_the_end = false;
  try {
    ondemand::document document = parser_.iterate(
        simdjson::padded_string_view(text + begin - 1, comma + 2 - begin, text_.capacity() - (begin - 1)));
    for (ondemand::value entry : document.get_array()) {
      const auto at = static_cast<std::size_t>(entry.raw_json_token().data() - text);
      if (is_read && !follows_object(text, at)) throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
      event = at;
      is_read = false;
      ondemand::object object = entry.get_object();
      reader_.read(object, document);
      is_read = true;
    }
    to_the_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;  // else the list ends before
  } catch (const simdjson::simdjson_error&) {
    to_the_end = false;
  }
  text[comma] = ',';
  if (to_the_end) return comma;
  if (!is_read) return event;
  // What it does not have to know of an event it has not looked at.
  const auto again = repaired(text_.view().substr(event));
  if (!again.whole) reader_.refuse_last(why_unreadable(again, ""));
  return event + again.length;
}

std::size_t EventList::read_one(std::size_t begin) {
  if (text_.data()[begin] != '{') reader_.refuse("it is not a JSON object");
  auto event = repaired(text_.view().substr(begin));
  if (!event.whole) reader_.refuse(why_unreadable(event, ""));
  const auto size = event.text.size();
  event.text.append(simdjson::SIMDJSON_PADDING, ' ');
  try {
    ondemand::document document =
        parser_.iterate(simdjson::padded_string_view(event.text.data(), size, event.text.size()));
    reader_.note(event);
    reader_.read(document.get_object(), document);
  } catch (const simdjson::simdjson_error& error) {
    reader_.refuse(why_unreadable(event, error.what()));
  }
  return begin + event.length;
}

std::size_t EventList::behind_list(std::size_t at) {
  if (at < text_.size() && text_.data()[at] == ']') return at + 1;
  reader_.remark("the list of events is not closed, so the file may have been cut short");
  return at;
}

}  // namespace harness::trace
