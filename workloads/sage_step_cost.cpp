// What a training step on sampled neighbours costs, in a process of its own, as one line of JSON.
//
//   sage_step_cost                                   names the forms
//   sage_step_cost FORM FOLDER BATCH WORKERS STEPS   the graph's arrays lie in FOLDER
//
// `sample`, `gather` and `train` are the parts of each step, one behind the other, in seconds; `ahead` is a
// step while workers make the next batches: the mean of STEPS in a row, with the workers' start. The first
// step is left out. scripts/sage_speed.py starts it in turns with PyTorch Geometric's forms. As in the
// workers, freed memory stays with the process.

#include "harness/core/setup.hpp"
#include "harness/machine/heap.hpp"

#include "workloads/sage/read_graph.hpp"
#include "workloads/sage/sage_trainer.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace {

using namespace workloads::sage;

struct Form {
  std::string_view name;
  Switches switches;
};

constexpr Switches without_trimming() {
  auto switches = best();
  switches.trim = false;
  return switches;
}

constexpr Form forms[] = {{"naive", {}}, {"untrimmed", without_trimming()}, {"best", best()}};

double seconds_of_steps(Trainer& trainer, int steps) {
  const auto begin = std::chrono::steady_clock::now();
  trainer.steps(steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / steps;
}

void time_steps(const Job& job, const Switches& switches, int steps) {
  Trainer trainer(job, switches);
  trainer.step();
  nlohmann::json seconds;
  std::int64_t nodes = 0;
  for (int i = 0; i < steps; ++i) {
    const auto parts = trainer.timed_step();
    seconds["sample"].push_back(parts.sample);
    seconds["gather"].push_back(parts.gather);
    seconds["train"].push_back(parts.train);
    nodes += parts.graph.nodes();
  }
  if (job.workers > 0 && switches.workers) seconds["ahead"].push_back(seconds_of_steps(trainer, steps));
  seconds["nodes"] = nodes / steps;
  std::printf("%s\n", seconds.dump().c_str());
}

/// 0 if it is no number.
int number(const char* text) {
  int value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const auto& form : forms) std::printf("%s\n", form.name.data());
    return 0;
  }
  const auto* const form = std::ranges::find(forms, std::string_view(argv[1]), &Form::name);
  if (form == std::end(forms) || argc != 6 || number(argv[3]) < 1 || number(argv[5]) < 1) {
    std::fprintf(stderr,
                 "sage_step_cost: give FORM FOLDER BATCH WORKERS STEPS; without any, the forms are named\n");
    return 1;
  }
  harness::keep_freed_memory();
  try {
    Job job{.graph = std::make_shared<const Graph>(read_graph(argv[2]))};
    job.batch_size = number(argv[3]);
    job.workers = number(argv[4]);
    time_steps(job, form->switches, number(argv[5]));
  } catch (const harness::BadInput& wrong) {
    std::fprintf(stderr, "sage_step_cost: %s\n", wrong.what());
    return 1;
  }
}
