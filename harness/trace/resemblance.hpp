// Which of a step's rows resembles the program that was recorded.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/trace/program_facts.hpp"

namespace harness::trace {

/// How a row compares with a program in the sizes that both have.
struct Resemblance {
  double distance = 0;  // in doublings, over all of these sizes
  std::string words;    // "workers 4 (here 2), batch 16 (here 64)"
};

/// Nothing where the two share no size.
std::optional<Resemblance> resemblance(const catalogue::Step& step, const catalogue::Row& row,
                                       const ProgramFacts& program);

/// The row on that kind of device which resembles the program most; without a size in common the first quick
/// one, else the first. nullptr where the step has none on that device.
const catalogue::Row* most_alike(const catalogue::Step& step, Device::Kind device,
                                 const ProgramFacts& program);

}  // namespace harness::trace
