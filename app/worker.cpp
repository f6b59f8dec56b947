// tuneproof-worker: joins the steps with the harness that measures them; measures the price list. Started by
// tuneproof.
#include "harness/catalogue/catalogue.hpp"
#include "harness/libtorch/rank_main.hpp"
#include "harness/libtorch/torch_surroundings.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/limits.hpp"
#include "harness/worker/surroundings.hpp"
#include "harness/worker/worker_modes.hpp"

#include "microbench/dataload/sources.hpp"
#include "microbench/microbench_steps.hpp"
#include "microbench/remote_sources.hpp"
#include "microbench/selftest/pairs.hpp"
#include "microbench/variability/device_load.hpp"
#include "prices/prices.hpp"
#include "workloads/workloads_steps.hpp"

#include <new>

namespace {

std::vector<const harness::Step*> all_steps() {
  std::vector<const harness::Step*> all;
  for (const auto* step : microbench::steps()) all.push_back(step);
  for (const auto* step : workloads::steps()) all.push_back(step);
  return all;
}

/// What can be measured: the tips, and the pairs of the self-test, which are none.
std::vector<const harness::Step*> with_selftest_pairs(std::vector<const harness::Step*> steps) {
  for (const auto* pair : microbench::selftest_pairs()) steps.push_back(pair);
  return steps;
}

/// What a data-loading process may be asked to make.
std::vector<harness::BatchSource> loader_sources() {
  const auto tips = microbench::loader_sources();
  std::vector<harness::BatchSource> all(tips.begin(), tips.end());
  for (const auto& source : workloads::loader_sources()) all.push_back(source);
  for (const auto& source : microbench::device_loads()) all.push_back(source);
  for (const auto& source : microbench::remote_sources()) all.push_back(source);
  return all;
}

std::vector<harness::catalogue::Option> options() {
  auto all = workloads::options();
  all.push_back({"ranks", "N",
                 "How many processes run a row together; default: 2, or those of the job that torchrun or "
                 "srun has started",
                 "parallel/ gpt/ddp resnet50/ddp stgym/ddp unet/ddp"});
  return all;
}

/// A line break in JSON is never part of a text.
std::string one_line(std::string json) {
  std::ranges::replace(json, '\n', ' ');
  return json;
}

double number_of(std::string_view text) { return std::stod(std::string(text)); }

int run(const std::vector<std::string_view>& arguments) {
  const auto mode = arguments.empty() ? std::string_view() : arguments[0];
  if (mode == "--prices") return prices::prices_mode(std::span(arguments).subspan(1), harness::build_info());
  if (mode == "--train" && arguments.size() == 2)
    return harness::worker::train_mode(arguments[1], workloads::trainables(), harness::torch_ground());
  const auto steps = all_steps();
  if (mode == "--measure")
    return harness::worker::measure_mode(with_selftest_pairs(steps), harness::torch_ground());
  if (mode == "--selftest-catalogue")
    return std::puts(one_line(harness::catalogue::catalogue_json(microbench::selftest_pairs(), {})).c_str()) <
                   0
               ? 1
               : 0;
  if (mode == "--catalogue")
    return std::puts(harness::catalogue::catalogue_json(steps, options()).c_str()) < 0 ? 1 : 0;
  if (mode == "--open-meeting")
    return harness::open_meeting(number_of(arguments.at(1)), static_cast<int>(number_of(arguments.at(2))));
  if (mode == "--join-meeting") return harness::join_meeting(number_of(arguments.at(1)));
  if (mode == "--probe")
    return harness::worker::probe_mode(harness::parse_device(arguments.size() > 1 ? arguments[1] : "cuda:0"),
                                       harness::build_info(), harness::torch_ground());
  std::fputs("tuneproof-worker: only tuneproof starts this program; run tuneproof instead\n", stderr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    harness::require_surroundings();
    harness::worker::die_with_parent(argc, argv);
    if (harness::is_loader_call(argc, argv)) return harness::loader_main(argc, argv, loader_sources());
    if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, all_steps());
    return run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    harness::tell_no_memory();
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuneproof-worker: %s\n", harness::sentence_of(error).c_str());
    return 1;
  }
}
