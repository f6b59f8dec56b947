#include "harness/simulate/simulate_text.hpp"

#include "harness/simulate/simulated_timeline.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

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

constexpr std::size_t columns = 64;

/// Nanoseconds of each column that spans cover.
class Track {
 public:
  explicit Track(Nanoseconds all) : all_(std::max<Nanoseconds>(all, 1)) {}

  void cover(Nanoseconds begin, Nanoseconds end) {
    for (std::size_t column = column_of(begin); column < columns && edge(column) < end; ++column)
      covered_[column] +=
          std::max<Nanoseconds>(std::min(end, edge(column + 1)) - std::max(begin, edge(column)), 0);
  }
  bool empty() const {
    return std::ranges::all_of(covered_, [](Nanoseconds time) { return time == 0; });
  }
  /// The share of a column that is covered.
  double share(std::size_t column) const {
    const auto width = edge(column + 1) - edge(column);
    return width == 0 ? 0 : static_cast<double>(covered_[column]) / static_cast<double>(width);
  }

 private:
  Nanoseconds edge(std::size_t column) const { return all_ * static_cast<Nanoseconds>(column) / columns; }
  std::size_t column_of(Nanoseconds time) const {
    const auto at = static_cast<std::size_t>(time * static_cast<Nanoseconds>(columns) / all_);
    return std::min(at == 0 ? 0 : at - 1, columns - 1);
  }

  Nanoseconds all_;
  std::array<Nanoseconds, columns> covered_{};
};

char letter(double share) {
  constexpr double nearly_all = 0.9, half = 0.5;
  return share > nearly_all ? '#' : share > half ? '+' : share > 0 ? '-' : ' ';
}

std::string row_of(const char* name, const std::string& letters) {
  return fmt::format("  {:<10}|{}|\n", name, letters);
}

std::string engine_row(const char* name, const Timeline& line, Engine engine, Nanoseconds all) {
  Track track(all);
  for (const auto& span : line.device)
    if (span.engine == engine) track.cover(span.begin, span.end);
  if (track.empty()) return {};
  std::string letters;
  for (std::size_t i = 0; i < columns; ++i) letters += letter(track.share(i));
  return row_of(name, letters);
}

std::string host_row(const Timeline& line, Nanoseconds all) {
  Track works(all);
  Track waits(all);
  for (const auto& span : line.host) (span.waits ? waits : works).cover(span.begin, span.end);
  std::string letters;
  for (std::size_t i = 0; i < columns; ++i)
    letters += waits.share(i) > works.share(i) ? '.' : letter(works.share(i));
  return row_of("host", letters);
}

std::string over(const Timeline& line, Nanoseconds all) {
  return host_row(line, all) + engine_row("kernels", line, Engine::multiprocessors, all) +
         engine_row("copies in", line, Engine::to_device, all) +
         engine_row("copies out", line, Engine::to_host, all);
}

using Rows = std::span<const SimulatedRow>;

/// The same recorded row on each GPU, from the first of them on.
Rows on_each_gpu(Rows rows) {
  const auto end = std::ranges::find_if(rows, [&](const auto& one) { return one.row != rows.front().row; });
  return rows.first(static_cast<std::size_t>(end - rows.begin()));
}

std::string time_cell(const SimulatedForm& form) {
  return fmt::format("{} [{}, {}]", time_text(form.seconds), time_text(form.interval.low),
                     time_text(form.interval.high));
}

std::string change_cell(const SimulatedRow& row) {
  return row.reason.empty() ? change_text(row.ratio(), row.ratio_interval) : "-";
}

bool has_times(const SimulatedRow& row) { return row.reason.empty(); }

/// "on T4: cannot simulate: ...": each reason once, with the GPUs that it is of where it is not of all.
std::vector<std::string> reasons_of(Rows same) {
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < same.size(); ++i) {
    const auto has_it = [&](const SimulatedRow& row) { return row.reason == same[i].reason; };
    if (has_times(same[i]) || std::ranges::any_of(same.first(i), has_it)) continue;
    std::string gpus;
    if (!std::ranges::all_of(same, has_it))
      for (const auto& row : same)
        if (has_it(row)) gpus += fmt::format("{}{}", gpus.empty() ? "on " : ", ", row.gpu);
    reasons.push_back(fmt::format("{}{}cannot simulate: {}", gpus, gpus.empty() ? "" : ": ", same[i].reason));
  }
  return reasons;
}

std::string cannot_text(Rows same, const Style& style) {
  constexpr int indent = 4;
  std::string out;
  for (const auto& reason : reasons_of(same)) {
    const auto* between = reason.starts_with("on ") ? " " : ": ";
    const auto lines = wrap(same.front().row + between + reason, style.columns - indent);
    out += fmt::format("  {}\n", fmt::join(lines, "\n    "));
  }
  return out;
}

/// What a reader must know of the row, and why it has no change on some GPU.
std::string remark_on(Rows same) {
  auto remark = std::ranges::any_of(same, has_times) ? same.front().note : std::string();
  for (const auto& reason : reasons_of(same)) remark += (remark.empty() ? "" : "; ") + reason;
  return remark;
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

std::string lines_text(const std::vector<SimulatedRow>& rows) {
  std::string out;
  for (const auto& row : rows) {
    if (!row.reason.empty()) continue;
    Nanoseconds all = 0;
    for (const auto& form : row.forms) all = std::max(all, form.line.end);
    out +=
        fmt::format("\n{}, simulated on {}\n(# works over 90 % of the time, + over half, - less; . waits)\n",
                    row.row, row.gpu);
    for (const auto& form : row.forms)
      out += fmt::format("\n  {} side, {}\n{}", side_of(form.form), time_text(form.seconds),
                         over(form.line, all));
    out += fmt::format("  {:<9} 0{:>{}}\n", "", time_text(seconds(all)), columns - 1);
  }
  return out;
}

std::string simulated_table(const std::vector<SimulatedRow>& rows, const Style& style) {
  RowTable table({"simulated on", "from", "to", "change"}, style);
  std::string cannot;
  for (Rows left = rows; !left.empty();) {
    const auto same = on_each_gpu(left);
    left = left.subspan(same.size());
    cannot += cannot_text(same, style);
    if (std::ranges::none_of(same, has_times)) continue;
    table.add_name(same.front().row, same.front().note);
    for (const auto& row : same)
      if (has_times(row))
        table.add({row.gpu, time_cell(row.forms.front()), time_cell(row.forms.back()), change_cell(row)});
  }
  const auto figures = table.empty() ? "" : table.text() + (cannot.empty() ? "" : "\n");
  return fmt::format("{}\n\n{}{}", simulated_warning, figures, cannot);
}

std::string table_by_gpu(const std::vector<SimulatedRow>& rows, const std::vector<Gpu>& gpus,
                         const Style& style) {
  std::vector<std::string> titles{"change of"};
  for (const auto& gpu : gpus) titles.push_back("on " + gpu.title);
  RowTable table(titles, style);
  for (Rows left = rows; !left.empty();) {
    const auto same = on_each_gpu(left);
    left = left.subspan(same.size());
    table.add_name(same.front().row, remark_on(same));
    std::vector<std::string> cells{""};
    for (const auto& row : same) cells.push_back(change_cell(row));
    table.add(std::move(cells));
  }
  return fmt::format("{}\n\n{}\n", simulated_warning, table.text());
}

}  // namespace harness::simulate
