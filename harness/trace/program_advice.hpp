// What would change a training, where the recorder of `tuneproof watch` knew its program: advice that was
// earned by what is there.
#pragma once

#include "harness/trace/evidence.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/regime.hpp"
#include "harness/trace/thread_calls.hpp"

namespace harness::trace {

/// How to load, and the step whose Python lines show that; "" where nothing is known.
struct LoaderAdvice {
  std::string text;
  std::string_view step;
};

/// Where the training waits for its loader so long in all; `otherwise` where nothing is known.
LoaderAdvice loader_advice(const Evidence& evidence, double wait_us, std::string_view otherwise);
/// The finding with the advised step first, and without the one for workers where they are not advised.
std::optional<Finding> advised(std::optional<Finding> finding, const LoaderAdvice& advice);

/// Says in the verdict what would change it, where more is known than its regime, and how far it can be
/// trusted.
void advise(const Evidence& evidence, RegimeVerdict& verdict);

/// The time of the products that are worth several threads.
double large_products_us(const ThreadCalls& calls);

/// True if the model is called by the piece.
bool calls_by_the_piece(const ProgramFacts& program);
/// True if threads are fewer than the CPUs that no worker of the loader takes.
bool leaves_cpus(const ProgramFacts& program);
bool has_denormals(const ProgramFacts& program);
/// True if other programs kept the training thread from a CPU for longer than they do on a quiet machine.
bool is_held_back(const ProgramFacts& program);
/// True if they kept it so long that the kinds of its operators tell nothing.
bool is_spoiled(const ProgramFacts& program);
/// True if autocast computes in a type for which this processor has no unit.
bool slow_autocast(const ProgramFacts& program);

}  // namespace harness::trace
