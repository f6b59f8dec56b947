#include "harness/report/progress.hpp"

#include "harness/report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness {
namespace {

using std::chrono::steady_clock;

constexpr auto redraw_after = std::chrono::milliseconds(100);

double share_of_row(const Advance& advance) {
  return advance.units > 0 ? std::clamp(static_cast<double>(advance.unit) / advance.units, 0.0, 1.0) : 0;
}

double expected_so_far(const Advance& advance) {
  return advance.expected_done + share_of_row(advance) * advance.expected_row;
}

}  // namespace

double share_done(const Advance& advance) {
  if (advance.expected_total <= 0) return 0;
  return std::clamp(expected_so_far(advance) / advance.expected_total, 0.0, 1.0);
}

double seconds_left(const Advance& advance) {
  // A few seconds at the guessed pace are counted in, so that the first unit alone does not set it.
  constexpr double prior = 5;
  const auto done = expected_so_far(advance);
  const auto pace = (advance.elapsed + prior) / (done + prior);
  return std::max(0.0, advance.expected_total - done) * pace;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::max(seconds, 0.0)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_line(const Advance& advance, int columns) {
  constexpr int width = 20;
  const auto share = share_done(advance);
  const auto filled = static_cast<int>(share * width);
  auto line = fmt::format("[{}{}] {:3.0f} %  {}/{} {}", std::string(static_cast<std::size_t>(filled), '#'),
                          std::string(static_cast<std::size_t>(width - filled), '-'), std::floor(100 * share),
                          advance.row + 1, advance.rows, advance.name);
  auto tail = advance.units > 0 ? fmt::format("  unit {}/{}", advance.unit, advance.units) : std::string();
  tail += "  " + duration_text(seconds_left(advance)) + " left";
  // The last column stays free: a terminal may wrap as soon as it is written.
  const auto room = static_cast<std::size_t>(std::max(columns - 1, 0));
  if (line.size() + tail.size() > room) line.resize(room - std::min(room, tail.size()));
  return (line + tail).substr(0, room);
}

Progress::Progress(std::FILE* out, bool terminal, int rows, double expected_seconds)
    : out_(out), terminal_(terminal), columns_(style_of(out).columns), begin_(steady_clock::now()) {
  advance_.rows = rows;
  advance_.expected_total = expected_seconds;
}

void Progress::begin_row(int index, const std::string& name) {
  advance_.row = index;
  advance_.name = name;
  advance_.unit = advance_.units = 0;
  advance_.expected_row =
      (advance_.expected_total - advance_.expected_done) / std::max(1, advance_.rows - index);
  if (!terminal_) {
    fmt::print(out_, "[{}/{}] {}\n", index + 1, advance_.rows, name);
    std::fflush(out_);
  }
  draw(true);
}

void Progress::unit(int done, int of) {
  advance_.unit = done;
  advance_.units = of;
  draw(false);
}

void Progress::end_row(double expected_seconds) {
  advance_.expected_done += expected_seconds;
  advance_.unit = advance_.units = 0;
  advance_.expected_row = 0;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[2K", out_);
  std::fflush(out_);
  drawn_ = false;
}

void Progress::draw(bool now) {
  const auto time = steady_clock::now();
  if (!terminal_ || (!now && drawn_ && time - last_draw_ < redraw_after)) return;
  advance_.elapsed = std::chrono::duration<double>(time - begin_).count();
  fmt::print(out_, "\r\x1b[2K{}", progress_line(advance_, columns_));
  std::fflush(out_);
  drawn_ = true;
  last_draw_ = time;
}

}  // namespace harness
