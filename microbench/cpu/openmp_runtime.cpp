// Preload Intel's OpenMP runtime in place of GNU's.
//
// Question: The same operators on the same threads, under two runtimes that divide the work: does your
// processor notice which one it is?
//
// LibTorch divides pointwise work and products among threads through OpenMP, and the runtime decides how
// threads wait between two divided loops. GNU's lets them sleep after a while; Intel's keeps them spinning
// for 200 ms by default (KMP_BLOCKTIME), so that the next loop finds them awake. Short loops in quick
// succession gain from that. The guides advise to preload libiomp5.so, which has GNU's entry points too; LLVM
// ships the same code.
//
// What it costs: threads that spin take processor time from whatever else runs, loaders of data for instance,
// and a container with a quota pays for it. When it does not matter: with one thread, with large operators,
// on a GPU.
//
// The runtime is chosen when a process starts. So each side is a process of its own with as many threads as
// the session, and a run, twenty additions and a product, is a message to it and its answer. Where
// libiomp5.so is not installed the row is skipped: Python's package intel-openmp has it, and Debian's
// libomp-dev.
//
// Answer: Only with several threads and short loops in quick succession: there Intel's threads are still
// awake when the next loop comes. With one thread or long operators no processor notices. The row is yours
// to read: it depends on cores and on what else runs.

#include "microbench/remote_sources.hpp"
#include "microbench/tip.hpp"

#include <ATen/Parallel.h>

#include <dlfcn.h>

namespace microbench::cpu_openmp_runtime {

namespace fs = std::filesystem;

/// .../lib of the Python environment that LibTorch is part of: lib/python3.11/site-packages/torch/lib/x.so.
fs::path environments_libraries() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&at::get_num_threads), &info) == 0 || info.dli_fname == nullptr)
    return {};
  auto folder = fs::path(info.dli_fname);
  for (int i = 0; i < 5; ++i) folder = folder.parent_path();
  return folder;
}

fs::path intels_runtime() {
  for (const auto& folder : {environments_libraries(), fs::path("/usr/lib/x86_64-linux-gnu"),
                             fs::path("/usr/lib/aarch64-linux-gnu"), fs::path("/usr/local/lib"),
                             fs::path("/opt/intel/oneapi/compiler/latest/lib")}) {
    std::error_code ignored;
    if (auto file = folder / "libiomp5.so"; fs::exists(file, ignored)) return file;
  }
  throw Skip(
      "libiomp5.so is not installed; it comes with pip install intel-openmp, or with Debian's libomp-dev");
}

Trial prepare(Setup& setup, const Point&) {
  if (setup.threads < 2) throw Skip("needs 2 CPU threads, the session has 1");
  const auto threads = "OMP_NUM_THREADS=" + std::to_string(setup.threads);
  return remote_trial(std::make_shared<RemoteForms>(
      remote_source("cpu/openmp_runtime", {}), RemoteForms::Environment{threads},
      RemoteForms::Environment{threads, "LD_PRELOAD=" + intels_runtime().string()}));
}

extern constexpr Step step = checked({
    .id = "cpu/openmp_runtime",
    .claim = "Operators on several threads are faster under Intel's OpenMP runtime than under GNU's.",
    .claim_ids = "cpu-iomp",
    .sides = {"GNU", "Intel"},
    .source = tuning_guide("Intel OpenMP Runtime Library (libiomp)"),
    .runs = Runs::host,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .row_seconds = 6,
});

}  // namespace microbench::cpu_openmp_runtime
