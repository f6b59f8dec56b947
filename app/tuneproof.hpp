// The one header of the library: a tip of your own, measured and judged as ours are. Link the CMake target
// tuneproof::tuneproof, or tuneproof::cuda for steps on CUDA devices, or tuneproof::torch for steps in
// LibTorch. The program that results measures in fresh processes of itself.
#pragma once

#include "harness/core/fixed_work.hpp"
#include "harness/core/step.hpp"

#include <initializer_list>
#include <memory>
#include <vector>

namespace tuneproof {

using harness::core::Answer;
using harness::core::Axis;
using harness::core::beside_fixed_work;
using harness::core::Figure;
using harness::core::Form;
using harness::core::Outcome;
using harness::core::Point;
using harness::core::Runs;
using harness::core::Setup;
using harness::core::Skip;
using harness::core::Step;
using harness::core::Steps;
using harness::core::Timer;
using harness::core::Trial;

/// The step itself. What nobody has published needs neither source nor expectation. A record that breaks a
/// rule does not compile, and the compiler shows the rule. `run` without arguments takes it.
consteval Step tip(Step step) {
  step.suite = harness::core::Suite::quick;
  if (step.expectation.published.empty())
    step.expectation = {.outcome = Outcome::depends, .published = "no figure"};
  if (step.source.title.empty()) step.source = {.title = "your own", .url = "", .where = "not published"};
  return harness::checked_but_for_its_source(step);
}

/// A benchmark of one form, for `compare --base --head`; on the host unless `runs` says otherwise. Its
/// `prepare` returns beside_fixed_work(setup, work), of which `work` is what is timed.
consteval Step benchmark(Step step) {
  if (step.claim.empty()) step.claim = "It takes no longer than before.";
  if (step.runs == Runs::each) step.runs = Runs::host;
  step.sides = {harness::fixed_work_side, "this work"};
  return tip(step);
}

/// The build type of your program, by what its compiler defines. `compare` refuses two programs that differ
/// in it.
#if !defined(__OPTIMIZE__)
constexpr const char* build_type_here = "Debug";
#elif defined(NDEBUG)
constexpr const char* build_type_here = "Release";
#else
constexpr const char* build_type_here = "Release, with assertions";
#endif

/// The commands list, run, compare and report for these steps; returns the exit code. Leave the last argument
/// to its default.
int program(int argc, char** argv, Steps steps, const char* build_type = build_type_here);

inline int program(int argc, char** argv, std::initializer_list<const Step*> steps,
                   const char* build_type = build_type_here) {
  return program(argc, argv, Steps(steps.begin(), steps.size()), build_type);
}

}  // namespace tuneproof
