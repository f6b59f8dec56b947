// The command line. Links neither LibTorch nor CUDA: what needs them runs in tuneproof-worker. Serves as a
// batch-loading process too, where the batches need neither.
#include "harness/machine/build_info.hpp"
#include "harness/pages/explain.hpp"
#include "harness/programs/watch.hpp"
#include "harness/run/doctor.hpp"
#include "harness/run/list.hpp"
#include "harness/run/profile.hpp"
#include "harness/run/run_command.hpp"
#include "harness/run/selftest_command.hpp"
#include "harness/run/training.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/support/channel.hpp"
#include "harness/trace/diagnose.hpp"

#include "microbench/claims.hpp"
#include "microbench/dataload/sources.hpp"
#include "prices/command.hpp"
#include "prices/curves.hpp"
#include "workloads/config_option.hpp"

#include <CLI/CLI.hpp>

#include "app/command_line.hpp"
#include "app/embedded.hpp"

namespace {

using namespace harness;

constexpr auto examples =
    "Examples:\n"
    "  tuneproof doctor                            check whether this machine is fit for measuring\n"
    "  tuneproof prices --quick                    what copies, calls and products cost here\n"
    "  tuneproof run --json results.json           measure which tips help here\n"
    "  tuneproof watch -- python train.py          find what holds up your own training";

catalogue::Catalogue read_catalogue() {
  auto catalogue = catalogue::parse_catalogue(app::embedded_catalogue());
  const auto sources = app::embedded_sources();
  for (auto& step : catalogue.steps)
    if (const auto own = std::ranges::find(sources, step.id, &catalogue::StepSource::step);
        own != sources.end())
      step.file = own->file;
  return catalogue;
}

catalogue::Program this_program() {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  return {catalogue::LateCatalogue(read_catalogue),
          app::embedded_sources(),
          self,
          self.parent_path() / "tuneproof-worker",
          microbench::claims_without_step(),
          {workloads::resolve_options, workloads::why_not},
          prices::step_prices(),
          prices::machine_lines};
}

int run_program(int argc, char** argv) {
  if (is_loader_call(argc, argv)) return loader_main(argc, argv, microbench::loader_sources());
  const auto program = this_program();
  const auto watched = programs::take_command(argc, argv);
  catalogue::Action chosen;
  const auto app = app::command_line(
      "tuneproof proves or disproves published performance advice on your machine.", examples);
  // A small trace takes less time than to declare what the other commands take.
  if (argc > 1 && std::string_view(argv[1]) == "diagnose") {
    trace::add_diagnose(*app, program, chosen);
    return app::run_chosen(*app, argc, argv, chosen);
  }
  run::add_list(*app, program, chosen);
  pages::add_explain(*app, program, chosen);
  pages::add_learn(*app, program, chosen);
  run::add_run(*app, program, build_info(), chosen);
  run::add_train(*app, program, chosen);
  run::add_profile(*app, program, chosen);
  prices::add_prices(*app, program, build_info(), chosen);
  run::add_selftest(*app, program, build_info(), chosen);
  simulate::add_simulate(*app, program, chosen);
  app::add_commands(*app, {program, watched, {prices::is_price_file, prices::curves_data}}, chosen);
  run::add_doctor(*app, program, chosen);
  return app::run_chosen(*app, argc, argv, chosen);
}

}  // namespace

int main(int argc, char** argv) { return app::main_of(argc, argv, run_program); }
