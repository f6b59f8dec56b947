// What a training step of each form costs: one line for naive, for each rung's form, and for the best form.
//
//   models_step_cost resnet50|gpt|unet [repetitions]
//
// The forms take turns, so that what disturbs the machine meets all of them; a line has the shortest, the
// median and the longest step, in seconds. As in the workers, freed memory stays with the process.

#include "harness/machine/heap.hpp"

#include "workloads/gpt/rung.hpp"
#include "workloads/resnet50/rung.hpp"
#include "workloads/unet/rung.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace workloads;
using training::Switches;

struct Timed {
  std::string name;
  training::Trainer trainer;
  std::vector<double> seconds = {};
};

training::Job job(std::string_view model, harness::Setup& setup) {
  if (model == "resnet50") return resnet50::job(setup);
  return model == "gpt" ? gpt::job(setup) : unet::job(setup);
}

bool has(std::string_view model, bool Switches::* change) {
  for (const auto of_devices :
       {&Switches::prefetch, &Switches::tf32, &Switches::fp16, &Switches::cudnn_benchmark})
    if (change == of_devices) return false;
  if (change == &Switches::channels_last) return model != "gpt";
  if (change == &Switches::fused_attention || change == &Switches::foreach_clip) return model == "gpt";
  return true;
}

std::vector<Timed> forms_of(std::string_view model, harness::Setup& setup) {
  const auto common = job(model, setup);
  const auto trainer = [&](const Switches& form) { return training::Trainer(common, form); };
  std::vector<Timed> forms;
  forms.push_back({"naive", trainer({})});
  for (const auto& rung : training::ladder)
    if (has(model, rung.change)) forms.push_back({rung.name, trainer(training::with(rung.change))});
  forms.push_back({"best", trainer(training::best())});
  forms.push_back({"best_bf16", trainer(training::best({&Switches::bf16}))});
  return forms;
}

void time_step(Timed& form) {
  const auto begin = std::chrono::steady_clock::now();
  form.trainer.step();
  const auto end = std::chrono::steady_clock::now();
  form.seconds.push_back(std::chrono::duration<double>(end - begin).count());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view model = argc > 1 ? argv[1] : "";
  if (model != "resnet50" && model != "gpt" && model != "unet") {
    std::fprintf(stderr, "models_step_cost: name a model: resnet50, gpt or unet\n");
    return 1;
  }
  const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 8;
  harness::keep_freed_memory();
  harness::Setup setup;
  setup.seed = 1;
  auto forms = forms_of(model, setup);
  for (auto& form : forms) form.trainer.step();  // the first step makes what the others find
  for (int i = 0; i < repetitions; ++i)
    for (auto& form : forms) time_step(form);
  for (auto& form : forms) {
    std::ranges::sort(form.seconds);
    std::printf("%s %s %.6f %.6f %.6f\n", argv[1], form.name.c_str(), form.seconds.front(),
                form.seconds[form.seconds.size() / 2], form.seconds.back());
  }
}
