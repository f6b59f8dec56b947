#include "harness/trace/document.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/shown.hpp"
#include "harness/trace/event_list.hpp"
#include "harness/trace/events.hpp"
#include "harness/trace/foreign.hpp"
#include "harness/trace/json_text.hpp"
#include "harness/trace/members.hpp"

#include <fmt/format.h>

#include <string_view>

namespace harness::trace {
namespace {

/// Walks the outermost members itself: simdjson sees no more than a window of the text at a time.
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
        fmt::format("behind the trace, from byte {} on, the file goes on with {}, which was not read", at_,
                    json ? "another document" : "text that is not JSON"));
  }

  Text& text_;
  Trace& trace_;
  EventReader reader_;
  EventList list_;
  std::size_t at_ = 0;
};

}  // namespace

void read_document(Text& text, Trace& trace, std::size_t window) {
  DocumentReader(text, trace, window).read();
}

}  // namespace harness::trace
