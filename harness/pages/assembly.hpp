// `explain --assembly`: what a compiler made of a step, its own kernels' PTX and SASS or a compiled form's
// source, with the lines that touch memory marked.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::pages {

/// The source files of a step.
std::span<const catalogue::StepSource> sources_of(const catalogue::Program& program,
                                                  const catalogue::Step& step);

/// The loops in what torch's compiler wrote for a CPU, or its Triton kernels.
std::vector<std::string> loops_in(std::string_view written);

/// Prints it all; the exit code. Throws BadInput where nothing can be shown, with the next thing to do.
int print_assembly(const catalogue::Program& program, const catalogue::Step& step);

// Reads what cuobjdump prints of a program's kernels, and marks what touches memory.

/// A kernel's code in a listing of cuobjdump.
struct KernelCode {
  std::string name;  // "cos_cos"
  std::string file;  // that it was compiled from, without its suffix: "fused_kernels"
  std::vector<std::string> lines;
};

/// The kernels in the output of `cuobjdump -sass`, in order.
std::vector<KernelCode> kernels_in_sass(std::string_view listing);
/// The same of `cuobjdump -ptx`.
std::vector<KernelCode> kernels_in_ptx(std::string_view listing);

/// True if the text asks for the kernel, by a function `queue_X` or `launch_X`: X is its name, begins it, or
/// is the name of its file.
bool asks_for(const std::string& source, const KernelCode& kernel);

/// The line behind "> " where it reads or writes memory, else behind two blanks.
std::string marked(const std::string& line);

}  // namespace harness::pages
