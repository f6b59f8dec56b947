// The command line without steps: what measures, compares and shows programs of the user's own. Needs neither
// LibTorch nor CUDA, also to be built.
#include "harness/programs/watch.hpp"

#include <CLI/CLI.hpp>

#include "app/command_line.hpp"

namespace {

using namespace harness;

constexpr auto examples =
    "Examples:\n"
    "  tuneproof versus 'python train.py' 'python train.py --workers 4'\n"
    "  tuneproof compare --base base/bench --head head/bench --count instructions\n"
    "  tuneproof watch -- python train.py          find what holds up your own training\n"
    "\n"
    "This build has no published tips; `scripts/build.sh` makes one that has.";

int run(int argc, char** argv) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  const catalogue::Program program{
      .catalogue = {}, .sources = {}, .self = self, .worker = self.parent_path() / "tuneproof-worker"};
  const auto watched = programs::take_command(argc, argv);
  catalogue::Action chosen;
  const auto app =
      app::command_line("tuneproof compares programs of your own, and says how sure that is.", examples);
  const pages::PricePage no_prices{[](const Json&) { return false; }, [](const Field&) { return Json(); }};
  app::add_commands(*app, {program, watched, no_prices}, chosen);
  return app::run_chosen(*app, argc, argv, chosen);
}

}  // namespace

int main(int argc, char** argv) { return app::main_of(argc, argv, run); }
