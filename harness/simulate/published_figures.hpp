// Published figures beside what the simulator makes of the same work: how good the model is.
#pragma once

#include "harness/simulate/recording.hpp"
#include "harness/simulate/simulated_timeline.hpp"
#include "harness/support/terminal.hpp"

namespace harness::simulate {

struct Figure {
  std::string id = {}, source = {}, kind = {}, gpu = {}, says = {}, unit = {}, of = {}, note = {};
  int round = 1;  // of the search in which it was found
  double published = 0;
  double amount = 0;  // of bytes or FLOP, for a rate
  double per = 1;     // of so many
  std::vector<std::string> settings = {};
  FormRecord work;
  bool judges = false;  // else it could be looked at when a constant was chosen
};

struct Judged {
  Figure figure;
  double simulated = 0;
  double factor = 0;  // simulated time over published time
  Timeline line = {};
};

/// The figures, those of each round split in two halves by a fixed seed.
std::vector<Figure> published_figures();

/// The part of the time line that the figure is of.
double seconds_of(const Figure& figure, const Timeline& line);

/// Simulates the figures.
std::vector<Judged> judge_figures(const std::vector<Figure>& figures);

/// The table as Markdown, both halves, and what cannot be simulated.
std::string published_table(const std::vector<Judged>& judged);

}  // namespace harness::simulate
