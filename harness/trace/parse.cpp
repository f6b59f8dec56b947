#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/events.hpp"
#include "harness/trace/foreign.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/json_walk.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/repair.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <limits>
#include <system_error>

namespace harness::trace {
namespace {

std::string text_of(std::string_view value) { return printable(understood(unquoted(value)).text); }

int int_or_0(std::string_view value) {
  const auto number = number_of(value);
  return number >= 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : 0;
}

DeviceProperties read_device(JsonWalk& walk) {
  DeviceProperties device;
  walk.members([&](std::string_view key) {
    const auto value = walk.value();
    if (is_key(key, "id")) device.id = number_of(value);
    if (is_key(key, "name")) device.name = text_of(value);
    if (is_key(key, "totalGlobalMem")) device.memory_bytes = number_of(value);
    if (is_key(key, "computeMajor")) device.compute_major = int_or_0(value);
    if (is_key(key, "numSms")) device.multiprocessors = int_or_0(value);
  });
  return device;
}

/// Anything but a clear no: a mark that was written otherwise is still one.
bool says_yes(std::string_view token) { return token != "false" && token != "null" && token != "0"; }

void read_devices(JsonWalk& walk, Trace& trace) {
  walk.entries([&] {
    if (walk.peek() != '{') {
      walk.value();
      return;
    }
    trace.devices.push_back(read_device(walk));
    if (trace.devices.back().name.starts_with("simulated ")) trace.simulated = true;
  });
}

void read_distributed(JsonWalk& walk, Trace& trace) {
  walk.members([&](std::string_view key) {
    const auto value = walk.value();
    if (is_key(key, "rank")) trace.rank = number_of(value);
    if (is_key(key, "world_size")) trace.world_size = number_of(value);
  });
}

/// Takes what it knows from a member of the outermost object. Returns why it is unreadable, "" where it is
/// not.
std::string read_member(std::string_view name, std::string_view value, Trace& trace) {
  if (name == "tuneproof") trace.program = program_facts(value);
  if (name == "simulated") trace.simulated = says_yes(value);
  const bool devices = name == "deviceProperties" && value.starts_with('[');
  if (!devices && (name != "distributedInfo" || !value.starts_with('{'))) return {};
  const auto member = repaired(value);
  try {
    JsonWalk walk;
    walk.open(member.text);
    devices ? read_devices(walk, trace) : read_distributed(walk, trace);
  } catch (const Unreadable& error) {
    return error.why;
  }
  return {};
}

std::string why_unreadable(const Repaired& event, const char* grammar_says) {
  if (!event.odd_string.empty())
    return fmt::format("its JSON breaks off after {}: does a name hold a quote that is not escaped?",
                       shown(unquoted(event.odd_string)));
  if (event.odd_bracket) return "unreadable JSON: its closing bracket is missing";
  return event.whole ? fmt::format("unreadable JSON: {}", grammar_says)
                     : std::string("the file ends within it; it was cut short");
}

/// The list of events, a window of the text after the other: what has been read need not stay in memory, and
/// what one event has wrong costs the others nothing.
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

std::size_t EventList::read(std::size_t at) {
  const auto begin = at;
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
        if (at > begin) reader_.make_room(at - begin, text_.size() - begin);
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

/// Fills the trace from the text, which is given back as far as it was read. Walks the outermost members
/// itself: simdjson sees no more than a window of the text at a time. Throws BadInput.
class DocumentReader {
 public:
  DocumentReader(Text& text, Trace& trace, std::size_t window)
      : text_(text), trace_(trace), reader_(trace), list_(text, reader_, window) {}

  void read() {
    at_ = text_.view().starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark
    const char first = next();
    const auto is = foreign_file(text_.view().substr(at_), trace_.file);
    if (!is.empty()) throw BadInput(fmt::format("{}: this is {}", trace_.file, is));
    if (at_ == text_.size()) throw BadInput(fmt::format("{}: this file is empty", trace_.file));
    if (first != '[' && first != '{')
      throw BadInput(
          fmt::format("{}: this is not a trace: that is a JSON list or object, and the file begins with {}",
                      trace_.file, first_line()));
    ++at_;
    if (first == '[')
      at_ = list_.read(at_);
    else
      read_object();
    note_rest();
    reader_.finish();
  }

 private:
  /// The next character that is not blank; '\0' at the end.
  char next() {
    while (at_ < text_.size() && is_json_blank(text_.data()[at_])) ++at_;
    return at_ < text_.size() ? text_.data()[at_] : '\0';
  }

  /// Quotes text that is not JSON.
  std::string first_line() const {
    auto rest = text_.view().substr(at_);
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    return shown(unquoted(rest));
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw BadInput(fmt::format("{}: unreadable JSON: {} at byte {}", trace_.file, what, at_));
  }

  void read_object() {
    bool found = false;
    std::string_view is;
    for (char c = next(); c != '}'; c = next()) {
      if (c == ',') {
        ++at_;
        continue;
      }
      if (c == '\0' && found) return;
      if (c != '"') refuse(c == '\0' ? "the file ends, it was cut short" : "a name in quotes is expected");
      const auto name = unquoted(take_value());
      if (next() != ':') refuse("a colon is expected");
      ++at_;
      const bool list = next() == '[';
      if (name == "traceEvents") {
        if (!list) throw BadInput(fmt::format("{}: \"traceEvents\" is not a list", trace_.file));
        at_ = list_.read(at_ + 1);
        found = true;
        continue;
      }
      const auto value = trimmed(take_value());
      if (const auto why = read_member(name, value, trace_); !why.empty())
        reader_.remark(fmt::format("\"{}\" is unreadable ({}) and was passed over", name, why));
      if (is.empty()) is = foreign_document(name, value);
    }
    ++at_;
    if (found) return;
    throw BadInput(
        fmt::format("{}: {}; it has no list \"traceEvents\"", trace_.file,
                    is.empty() ? "this JSON is not a trace" : fmt::format("this is not a trace but {}", is)));
  }

  std::string_view take_value() {
    const auto rest = text_.view().substr(at_);
    const auto length = value_length(rest);
    at_ += length;
    return rest.substr(0, length);
  }

  /// A list that nobody closed has nothing behind it; zeros are padding.
  void note_rest() {
    while (next() == '\0' && at_ < text_.size()) ++at_;
    if (at_ == text_.size()) return;
    const bool json = next() == '{' || next() == '[';
    reader_.remark(
        fmt::format("after the trace, from byte {} on, the file goes on with {}, which was not read", at_,
                    json ? "another document" : "text that is not JSON"));
  }

  Text& text_;
  Trace& trace_;
  EventReader reader_;
  EventList list_;
  std::size_t at_ = 0;
};

namespace fs = std::filesystem;

/// As PyTorch's handler for TensorBoard names a trace.
bool is_named_trace(const fs::path& file) {
  return file.filename().string().find(".pt.trace.json") != std::string::npos;
}

Trace parse(Text text, const std::string& file, const ReadLimits& limits) {
  Trace trace;
  trace.file = file;
  DocumentReader(text, trace, limits.window).read();
  trace.nesting = nest(trace);
  return trace;
}

}  // namespace

std::vector<fs::path> trace_files(const fs::path& path) {
  if (path == "-") return {"/dev/stdin"};
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    require_readable(path);
    return {path};
  }
  auto files = files_in(path, is_json_name);
  if (files.empty())
    throw BadInput(fmt::format("{}: this folder holds no *.json and no *.json.gz", path.string()));
  // Other JSON may lie beside them: a configuration, results.
  if (std::ranges::any_of(files, is_named_trace))
    std::erase_if(files, [](const fs::path& file) { return !is_named_trace(file); });
  return files;
}

Trace read_trace(const std::filesystem::path& file, const ReadLimits& limits) {
  return parse(load_text(file, limits), file.string(), limits);
}

Trace parse_trace(std::string_view json, const std::string& file, const ReadLimits& limits) {
  Text text(json.size(), file);
  if (!json.empty()) std::memcpy(text.data(), json.data(), json.size());
  return parse(std::move(text), file, limits);
}

}  // namespace harness::trace
