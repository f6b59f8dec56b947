#include "workloads/stgym/data/csv.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace workloads::stgym {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

CsvReader::CsvReader(const std::string& path) : path_(path), buffer_(chunk) {
  harness::require_regular_file(path);
  file_.open(path, std::ios::binary);
  rewind();
}

void CsvReader::rewind() {
  file_.clear();
  file_.seekg(0);
  at_ = end_ = 0;
  next_line_ = 1;
  line_ = 1;
  fill();
  const std::string_view begin(buffer_.data(), end_);
  if (begin.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF"))
    fail("the file is UTF-16; it must be UTF-8");
  auto first = begin.substr(0, begin.find('\n'));
  if (first.ends_with('\r') && first.size() < begin.size()) first.remove_suffix(1);
  if (first.find('\r') != first.npos && first.find('"') == first.npos)
    fail("its lines end with a lone carriage return; they must end with LF or CRLF");
}

bool CsvReader::next() {
  const auto last = line_;
  do {
    record_.clear();
    line_ = next_line_;
    if (!append_line()) {
      line_ = last;
      return false;
    }
  } while (record_.empty());

  // A quoted cell may hold line breaks: as long as the number of quotes is odd, the record goes on.
  auto odd = std::ranges::count(record_, '"') % 2 != 0;
  while (odd) {
    const auto before = record_.size();
    record_ += '\n';
    if (!append_line()) break;
    odd = std::count(record_.begin() + static_cast<std::ptrdiff_t>(before), record_.end(), '"') % 2 == 0;
  }
  split();
  return true;
}

/// Appends the next line without its end; false at the end of the file.
bool CsvReader::append_line() {
  if (at_ == end_ && !fill()) return false;
  ++next_line_;
  for (;;) {
    const char* begin = buffer_.data() + at_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', end_ - at_));
    const auto length = end == nullptr ? end_ - at_ : static_cast<std::size_t>(end - begin);
    if (record_.size() + length > longest)
      fail(fmt::format("the record is longer than {} MiB; is this a CSV file?", longest >> 20));
    record_.append(begin, length);
    at_ += length + (end == nullptr ? 0 : 1);
    if (end != nullptr || !fill()) break;
  }
  if (record_.ends_with('\r')) record_.pop_back();
  return true;
}

/// Reads the next chunk; false at the end of the file.
bool CsvReader::fill() {
  file_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (file_.bad()) fail("cannot be read");
  at_ = 0;
  end_ = static_cast<std::size_t>(file_.gcount());
  return end_ > 0;
}

void CsvReader::split() {
  cells_.clear();
  for (std::size_t at = 0;; ++at) {
    if (at < record_.size() && record_[at] == '"') {
      at = split_quoted(at);
    } else {
      const auto end = std::min(record_.find(',', at), record_.size());
      cells_.emplace_back(record_.data() + at, end - at);
      if (std::memchr(record_.data() + at, '"', end - at) != nullptr)
        fail(fmt::format("column {} has a quote inside an unquoted cell", cells_.size()));
      at = end;
    }
    if (at == record_.size()) return;
  }
}

/// Takes the cell whose opening quote stands at `quote`; returns where it ends: at a comma, or at the end.
std::size_t CsvReader::split_quoted(std::size_t quote) {
  const auto begin = quote + 1;
  auto out = begin;
  for (auto at = begin; at < record_.size(); ++at) {
    if (record_[at] == '"') {
      const bool doubled = at + 1 < record_.size() && record_[at + 1] == '"';
      if (!doubled) {
        cells_.emplace_back(record_.data() + begin, out - begin);
        if (at + 1 < record_.size() && record_[at + 1] != ',')
          fail(fmt::format("column {} has text after its closing quote", cells_.size()));
        return at + 1;
      }
      ++at;
    }
    record_[out++] = record_[at];
  }
  fail(fmt::format("column {} has an unclosed quote", cells_.size() + 1));
}

void CsvReader::fail(std::string_view what) const {
  throw harness::BadInput(fmt::format("{}, line {}: {}", path_, line_, what));
}

}  // namespace workloads::stgym
