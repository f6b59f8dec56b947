#include "harness/run/first_row.hpp"

#include <utility>

namespace harness::run {

results::Row first_row(const catalogue::Step& step, const catalogue::Row& planned,
                       const Selection& selection) {
  results::Row row;
  row.name = planned.name;
  row.step = step.id;
  row.at = planned.at;
  row.device = {planned.device, 0};
  row.expected = planned.expected;
  row.published = step.published;
  row.delta = step.delta;
  if (!row.device.is_cuda()) return row;
  const auto& choice = selection.device;
  if (choice.device.is_cuda()) row.device = choice.device;
  if (!choice.automatic && !choice.device.is_cuda())
    skip(row, "the run uses --device cpu");
  else if (!selection.has_cuda)
    skip(row, "no CUDA device");
  return row;
}

void skip(results::Row& row, std::string reason) {
  row.judged.verdict = Verdict::skipped;
  row.reason = std::move(reason);
  row.stage = "select";
}

}  // namespace harness::run
