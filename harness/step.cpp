#include "harness/step.hpp"

#include <algorithm>
#include <stdexcept>

namespace harness {
namespace {

std::string text_of(const Axis& axis, std::int64_t value) {
  switch (axis.unit) {
    case Unit::bytes:
      return bytes_text(value);
    case Unit::label:
      return std::string(axis.labels[static_cast<std::size_t>(value)]);
    case Unit::count:
      break;
  }
  return std::to_string(value);
}

}  // namespace

std::int64_t Point::operator[](std::string_view axis) const {
  for (const auto& c : at)
    if (c.axis == axis) return c.value;
  throw std::out_of_range("no axis named '" + std::string(axis) + "'");
}

std::vector<Point> points(std::span<const Axis> axes) {
  std::vector<Point> all{{}};
  for (const auto& axis : axes) {
    std::vector<Point> longer;
    longer.reserve(all.size() * axis.values.size());
    for (const auto& point : all)
      for (const auto value : axis.values) {
        auto next = point;
        next.at.push_back({std::string(axis.name), value, text_of(axis, value)});
        next.quick = point.quick && std::ranges::find(axis.quick, value) != axis.quick.end();
        longer.push_back(std::move(next));
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Point> points(const Step& step, const Device& device) {
  auto all = points(step.axes);
  if (step.takes != nullptr) std::erase_if(all, [&](const Point& p) { return !step.takes(p, device); });
  return all;
}

std::string row_name(const Step& step, const Point& point, const Device& device) {
  std::string name(step.id);
  for (const auto& c : point.at) name += "/" + c.axis + ":" + c.text;
  const bool several = step.runs == Runs::each || step.runs == Runs::session;
  if (several) name += device.is_cuda() ? "/device:cuda" : "/device:cpu";
  return name;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::string_view suffixes[] = {"", "KiB", "MiB", "GiB"};
  std::size_t power = 0;
  while (bytes != 0 && bytes % 1024 == 0 && power + 1 < std::size(suffixes)) {
    bytes /= 1024;
    ++power;
  }
  return std::to_string(bytes) + std::string(suffixes[power]);
}

Outcome expected_of(const Step& step, const Point& point, const Device& device) {
  const auto lies_at = [&](std::string_view any) {
    const auto padded = " " + std::string(any) + " ";
    return std::ranges::any_of(point.at, [&](const Coordinate& c) {
      return padded.find(" " + c.axis + ":" + c.text + " ") != std::string::npos;
    });
  };
  const auto& said = step.expectation;
  if (lies_at(said.hurts_at)) return Outcome::hurts;
  if ((!said.about.empty() && !lies_at(said.about)) || lies_at(said.except)) return Outcome::depends;
  const bool about_a_device = step.runs == Runs::each || step.runs == Runs::session;
  return about_a_device && !device.is_cuda() ? step.expectation.on_cpu : step.expectation.outcome;
}

std::string_view to_string(Form form) { return form == Form::naive ? "naive" : "optimized"; }

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::helps:
      return "helps";
    case Outcome::no_effect:
      return "no effect";
    case Outcome::hurts:
      return "hurts";
    case Outcome::depends:
      break;
  }
  return "depends";
}

std::string_view to_string(Timer timer) { return timer == Timer::wall ? "wall" : "event"; }

}  // namespace harness
