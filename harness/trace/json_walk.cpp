#include "harness/trace/json_walk.hpp"

#include <algorithm>
#include <new>

namespace harness::trace {
namespace {

void require(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS && error != simdjson::EMPTY)
    throw Unreadable{simdjson::error_message(error)};
}

}  // namespace

void JsonWalk::open(std::string_view text) {
  auto& places = parser_.implementation;
  if (!places || places->capacity() < text.size()) {
    constexpr std::size_t least = 4096;
    require(parser_.allocate(std::max(text.size(), least)));
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  require(places->stage1(bytes, text.size(), simdjson::stage1_mode::regular));
  text_ = text;
  next_ = places->structural_indexes.get();
  end_ = next_ + places->n_structural_indexes;
}

/// A list or an object, without recursion, which deep nesting would exhaust.
std::string_view JsonWalk::nest() {
  const auto begin = place();
  open_.clear();
  for (;;) {
    bool first = is_nest();  // nothing stands before the next value
    if (first)
      open_ += text_[*next_++];
    else
      scalar();
    while (!open_.empty() && take(open_.back() == '{' ? '}' : ']')) {
      open_.pop_back();
      first = false;
    }
    if (open_.empty()) return text_.substr(begin, next_[-1] + 1 - begin);
    if (!first) want(',', no_end);
    if (open_.back() == '{') key();
  }
}

}  // namespace harness::trace
