#include "harness/simulate/row_table.hpp"

#include "harness/support/text.hpp"

#include <sstream>
#include <string_view>

namespace harness::simulate {
namespace {

constexpr std::string_view on_device = "/device:cuda";  // all rows have it
constexpr int note_indent = 4;

/// "sync/per_kernel" of "sync/per_kernel/us:3".
std::string_view step_of(std::string_view name) {
  const auto subject = name.find('/');
  return subject == name.npos ? name : name.substr(0, name.find('/', subject + 1));
}

std::string_view subject_of(std::string_view step) { return step.substr(0, step.find('/')); }

/// "pinned_h2d/bytes:1MiB" of "transfer/pinned_h2d/bytes:1MiB"; below another row of its step "  bytes:1MiB".
std::string short_name(std::string_view name, std::string_view step, std::string_view above) {
  if (step == above && name.size() > step.size()) return "  " + std::string(name.substr(step.size() + 1));
  return std::string(name.substr(name.find('/') + 1));
}

}  // namespace

void RowTable::add_name(const std::string& row, const std::string& note) {
  std::string_view name = row;
  if (name.ends_with(on_device)) name.remove_suffix(on_device.size());
  const auto step = step_of(name);
  const auto subject = subject_of(step);
  std::string text;
  if (subject != subject_of(step_)) text = inked(subject, Ink::bold, style_) + "\n";
  text += "  " + short_name(name, step, step_) + "\n";
  if (!note.empty()) text += indented("", note, note_indent, style_);
  above_.emplace_back(lines_, std::move(text));
  step_ = step;
}

void RowTable::add(std::vector<std::string> cells) {
  cells.front().insert(0, "    ");
  figures_.add(std::move(cells));
  ++lines_;
}

std::string RowTable::text() const {
  std::istringstream figures(figures_.text(style_));
  std::string line;
  std::getline(figures, line);  // the heads
  std::string out = line + "\n";
  auto above = above_.begin();
  for (std::size_t i = 0; i <= lines_; ++i) {
    for (; above != above_.end() && above->first == i; ++above) out += above->second;
    if (std::getline(figures, line)) out += line + "\n";
  }
  return out;
}

}  // namespace harness::simulate
