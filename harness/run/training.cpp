#include "harness/run/training.hpp"

#include "harness/machine/probe.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/json_members.hpp"
#include "harness/support/spawn.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>

namespace harness::run {
namespace {

constexpr auto order_members = [](auto& each, auto& order) {
  each("workload", order.workload);
  each("settings", order.settings);
  each("options", order.options);
  each("device", order.device, as_device);
  each("threads", order.threads, whole(1, 1 << 20));
  each("data_seed", order.data_seed);
  each("loader", order.loader);
};

}  // namespace

std::string order_to_json(const TrainingOrder& order) { return one_line(json_by(order_members, order)); }

TrainingOrder order_from_json(std::string_view text) {
  const auto document = parse_json(text, "order");
  return read_by<TrainingOrder>(order_members, Field(document, "order"));
}

namespace {

constexpr auto examples =
    "Settings: batch_size=32, accumulation=2, learning_rate=0.5 (a multiple of the standard one),\n"
    "rate_grows=with_batch, workers=2, threads=4, precision=bf16, execution=compiled, samples=512 and\n"
    "others; a wrong one lists those of the workload.\n"
    "\n"
    "Examples:\n"
    "  tuneproof train gpt batch_size=32 workers=2\n"
    "  tuneproof versus 'tuneproof train gpt' 'tuneproof train gpt workers=2' \\\n"
    "    --metric-from 'sample (\\S+) s'\n"
    "  tuneproof tune 'tuneproof train gpt workers={workers:0..4}' --metric-from 'sample (\\S+) s' \\\n"
    "    --keep 'loss (\\S+)' --within 5%";

struct TrainArguments {
  std::string workload;
  std::vector<std::string> settings;
  RunArguments run;
};

Options settings_of(const std::vector<std::string>& words) {
  Options settings;
  for (const auto& word : words) {
    const auto sign = word.find('=');
    if (sign == std::string::npos || sign == 0)
      throw BadInput("train: " + shown(word) + ": expected a setting such as batch_size=32");
    if (!settings.emplace(word.substr(0, sign), word.substr(sign + 1)).second)
      throw BadInput("train: " + word.substr(0, sign) + " is set twice");
  }
  return settings;
}

TrainingOrder order_of(const TrainArguments& arguments, const catalogue::Program& program) {
  auto plan = plan_run(arguments.run);
  if (program.options.resolve != nullptr) program.options.resolve(plan.session.options);
  auto device = plan.selection.device.device;
  if (plan.selection.device.automatic) {
    const auto probe = parse_probe(ask_probe(program.worker, {Device::Kind::cuda, 0}));
    if (probe.status == CudaStatus::ok) device = {Device::Kind::cuda, 0};
  }
  return {.workload = arguments.workload,
          .settings = settings_of(arguments.settings),
          .options = plan.session.options,
          .device = device,
          .threads = plan.session.threads,
          .data_seed = plan.session.data_seed,
          .loader = program.self.string()};
}

[[noreturn]] void train(const TrainArguments& arguments, const catalogue::Program& program) {
  const auto order = order_of(arguments, program);
  become({program.worker, {"--train", order_to_json(order)}, worker_environment(order.threads)});
}

}  // namespace

void add_train(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  auto* command = app.add_subcommand(
      "train", "Train stgym, gpt, resnet50, sage or unet once, and print its speed and loss");
  const auto arguments = std::make_shared<TrainArguments>();
  command->add_option("WORKLOAD", arguments->workload, "stgym, gpt, resnet50, sage or unet")->required();
  command->add_option("SETTING", arguments->settings, "What to change of it, such as batch_size=32");
  declare_surroundings(*command, arguments->run, program.catalogue);
  for (const auto* name : {"--point", "--timeout"}) command->remove_option(command->get_option(name));
  command->footer(examples);
  catalogue::choose_by(*command, chosen, [arguments, &program]() -> int { train(*arguments, program); });
}

}  // namespace harness::run
