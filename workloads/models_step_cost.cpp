// What a training step of one form costs, in a process of its own: a line a step, in seconds, the first
// apart.
//
//   models_step_cost resnet50|gpt|unet                     names the forms
//   models_step_cost resnet50|gpt|unet FORM [steps]
//
// scripts/models_speed.py starts it in turns with Python's own forms. As in the workers, freed memory stays
// with the process.

#include "harness/machine/heap.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/resnet50/resnet50_rung.hpp"
#include "workloads/unet/unet_rung.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace workloads;
using training::Input;
using training::Switches;

training::Job job(std::string_view model, harness::Setup& setup) {
  if (model == "resnet50") return resnet50::job(setup);
  return model == "gpt" ? gpt::job(setup) : unet::job(setup);
}

struct Form {
  std::string name;
  Switches switches;
};

std::vector<Form> forms_of(std::string_view model) {
  std::vector<Form> forms{{"naive", {}}};
  for (const auto& rung : training::ladder)
    if (rung.needs_device == nullptr && training::belongs(rung, model == "gpt" ? Input::text : Input::images))
      forms.push_back({rung.name, training::with(rung.change)});
  forms.push_back({"best", training::best()});
  forms.push_back({"best_bf16", training::best({&Switches::bf16})});
  forms.push_back({"best_bf16_compiled", training::best({&Switches::bf16, &Switches::compiled})});
  return forms;
}

double seconds_of_step(training::Trainer& trainer) {
  const auto begin = std::chrono::steady_clock::now();
  trainer.step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The first step makes what the others find, so it stands alone.
void time_steps(std::string_view model, const Switches& switches, int steps) {
  harness::keep_freed_memory();
  harness::Setup setup;
  setup.seed = 1;
  training::Trainer trainer(job(model, setup), switches);
  for (int i = 0; i <= steps; ++i) std::printf("%.6f\n", seconds_of_step(trainer));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view model = argc > 1 ? argv[1] : "";
  if (model != "resnet50" && model != "gpt" && model != "unet") {
    std::fprintf(stderr, "models_step_cost: name a model: resnet50, gpt or unet\n");
    return 1;
  }
  const auto forms = forms_of(model);
  if (argc == 2) {
    for (const auto& form : forms) std::printf("%s\n", form.name.c_str());
    return 0;
  }
  const auto form = std::ranges::find(forms, std::string_view(argv[2]), &Form::name);
  if (form == forms.end()) {
    std::fprintf(stderr, "models_step_cost: %s has no form \"%s\"; without a form, all are named\n", argv[1],
                 argv[2]);
    return 1;
  }
  time_steps(model, form->switches, argc > 3 ? std::max(1, std::atoi(argv[3])) : 8);
}
