// A GPU on paper and the host that drives it: the values of its data sheet (harness/machine/gpus.json), and
// what calls, dispatch, memory and staging cost there (costs.json).
#pragma once

#include "harness/simulate/simulated_timeline.hpp"
#include "harness/support/field.hpp"

namespace harness::simulate {

struct Gpu {
  std::string name;   // "a30", or the file that it was read from
  std::string title;  // "A30"
  std::map<std::string, double> values;

  bool has(const std::string& value) const { return values.contains(value); }
  /// The value, in the unit of those files. Throws BadInput, naming the GPU and --set, where it has none.
  double operator[](const std::string& value) const;
};

/// The names of all GPUs that can be simulated.
std::vector<std::string> gpu_names();

/// The GPU of that name, or of a file if the text ends in ".json". Throws BadInput where there is none, and
/// says why where one was left out for want of a source.
Gpu find_gpu(const std::string& text);

/// "memory_rate=800": changes a value. Throws BadInput, naming the option, where there is no such value or it
/// is not a number above 0, or not a whole one where it counts something.
void set_value(Gpu& gpu, std::string_view text, std::string_view option = "--set");

/// How the device and its driver behave.
Rules rules_of(const Gpu& gpu);

// The values that a GPU on paper may have.

/// True for what is counted: multiprocessors, engines, places in the queue, generations of links.
bool is_whole(std::string_view name);

/// Gives the GPU a host: one of the classes, or a machine by the file that `tuneproof prices
/// --benchmark_out=FILE` wrote there. Throws BadInput where there is neither, or the file lacks a row.
void set_host(Gpu& gpu, const std::string& text);

/// costs.json: what calls cost, with sources.
std::string_view costs_json();
/// published_figures.json: published figures with named hardware, and the work behind each.
std::string_view published_figures_json();

}  // namespace harness::simulate
