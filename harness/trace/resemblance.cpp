#include "harness/trace/resemblance.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

/// What the program has on that axis; nothing where it is not known or means something else there.
std::optional<std::int64_t> size_of(const catalogue::Axis& axis, const ProgramFacts& program) {
  const auto about = [&](std::string_view word) { return axis.about.find(word) != axis.about.npos; };
  if (axis.name == "workers" && program.loader) return program.loader->workers;
  if (axis.name == "batch" && (about("samples") || about("rows"))) {
    if (program.loader && program.loader->batch > 0) return program.loader->batch;
    if (program.rows > 0) return program.rows;
  }
  if (axis.name == "tensors" && program.parameters > 0) return program.parameters;
  if (axis.name == "numel" && program.parameters > 0) return program.numel;
  return std::nullopt;
}

double doublings(std::int64_t one, std::int64_t other) {
  return std::abs(std::log2(static_cast<double>(one + 1) / static_cast<double>(other + 1)));
}

}  // namespace

std::optional<Resemblance> resemblance(const catalogue::Step& step, const catalogue::Row& row,
                                       const ProgramFacts& program) {
  Resemblance result;
  for (const auto& at : row.at) {
    const auto axis = std::ranges::find(step.axes, at.axis, &catalogue::Axis::name);
    const auto here = axis == step.axes.end() ? std::nullopt : size_of(*axis, program);
    if (!here) continue;
    result.distance += doublings(at.value, *here);
    result.words +=
        fmt::format("{}{} {} (here {})", result.words.empty() ? "" : ", ", at.axis, at.text, *here);
  }
  return result.words.empty() ? std::nullopt : std::optional(std::move(result));
}

const catalogue::Row* most_alike(const catalogue::Step& step, Device::Kind device,
                                 const ProgramFacts& program) {
  const catalogue::Row* best = nullptr;
  const auto distance = [&](const catalogue::Row& row) {
    const auto alike = resemblance(step, row, program);
    return alike ? alike->distance : row.quick ? 0 : 1;
  };
  for (const auto& row : step.rows)
    if (row.device == device && row.full && (best == nullptr || distance(row) < distance(*best))) best = &row;
  return best;
}

}  // namespace harness::trace
