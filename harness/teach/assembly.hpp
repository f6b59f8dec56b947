// `explain --assembly`: what a compiler made of a step, its own kernels' PTX and SASS or a compiled form's
// source, with the lines that touch memory marked.
#pragma once

#include "harness/catalogue/program.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::teach {

/// The source files of a step.
std::span<const catalogue::StepSource> sources_of(const catalogue::Program& program,
                                                  const catalogue::Step& step);

/// The loops in what torch's compiler wrote for a CPU, or its Triton kernels.
std::vector<std::string> loops_in(std::string_view written);

/// Prints it all; the exit code. Throws BadInput where nothing can be shown, with the next thing to do.
int print_assembly(const catalogue::Program& program, const catalogue::Step& step);

}  // namespace harness::teach
