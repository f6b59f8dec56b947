#include "harness/simulate/row_table.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

namespace harness::simulate {
namespace {

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

std::string simulated_table(const std::vector<SimulatedRow>& rows, const Style& style) {
  RowTable table({"simulated on", "naive", "optimized", "change"}, style);
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
