#include "workloads/stgym/knobs.hpp"

#include "harness/run/training.hpp"

#include "workloads/training/knobs.hpp"
#include "workloads/tunable_workloads.hpp"
#include "workloads/tuning/make_knob.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace workloads;
using namespace harness;
using catalogue::Knob;
using catalogue::Settings;
using catalogue::TuningPlace;

constexpr Device gpu{Device::Kind::cuda, 0};

std::vector<TuningPlace> places() { return {{{}, {}, 1}, {{}, {}, 8}, {{}, gpu, 16}}; }

const Knob* find(const std::vector<Knob>& knobs, std::string_view name) {
  const auto found = std::ranges::find(knobs, name, &Knob::name);
  return found == knobs.end() ? nullptr : &*found;
}

bool has_value(const Knob& knob, std::string_view value) {
  return std::ranges::find(knob.values, value) != knob.values.end();
}

TEST_CASE("the standard value and the advice of every knob are values of it", "[knobs]") {
  for (const auto& workload : workloads::tunable_workloads())
    for (const auto& place : places())
      for (const auto& knob : workload.knobs(place)) {
        INFO(workload.workload << " " << knob.name);
        CHECK(has_value(knob, knob.standard));
        CHECK((knob.advice.empty() || has_value(knob, knob.advice)));
        CHECK((knob.in_code.empty() || knob.in_code.size() == knob.values.size()));
        CHECK(std::set(knob.values.begin(), knob.values.end()).size() == knob.values.size());
      }
}

TEST_CASE("numbers rise", "[knobs]") {
  for (const auto& workload : workloads::tunable_workloads())
    for (const auto& knob : workload.knobs({{}, {}, 8}))
      if (knob.ordered)
        CHECK(
            std::ranges::is_sorted(knob.values, {}, [](const std::string& text) { return std::stod(text); }));
}

TEST_CASE("every clash is between values that a GPU's knobs have, and no standard settings clash",
          "[knobs]") {
  for (const auto& workload : workloads::tunable_workloads()) {
    // The models share their clashes: one of them has the knob.
    std::vector<Knob> all;
    for (const auto& other : workloads::tunable_workloads())
      if (other.clashes.data() == workload.clashes.data())
        for (auto& knob : other.knobs({{}, gpu, 8})) all.push_back(knob);
    const auto known = [&](std::string_view name, std::string_view value) {
      return std::ranges::any_of(all, [&](const Knob& k) { return k.name == name && has_value(k, value); });
    };
    for (const auto& clash : workload.clashes) {
      INFO(clash.knob << "=" << clash.value << ", " << clash.other << "=" << clash.other_value);
      CHECK(known(clash.knob, clash.value));
      CHECK(known(clash.other, clash.other_value));
    }
    CHECK(catalogue::why_not(workload.clashes, tuning::standard_of(workload.knobs({{}, gpu, 8}))).empty());
  }
}

TEST_CASE("what needs a GPU is a knob on one only", "[knobs]") {
  for (const auto& workload : workloads::tunable_workloads()) {
    const auto on_cpu = workload.knobs({{}, {}, 8}), on_gpu = workload.knobs({{}, gpu, 8});
    CHECK(find(on_cpu, "pinned") == nullptr);
    CHECK(find(on_gpu, "pinned") != nullptr);
    CHECK_FALSE(has_value(*find(on_cpu, "execution"), "cuda_graph"));
    CHECK(has_value(*find(on_gpu, "execution"), "cuda_graph"));
  }
}

TEST_CASE("a model has the knobs that it can turn", "[knobs]") {
  CHECK(find(training::tunable_model("gpt").knobs({}), "checkpointing") != nullptr);
  CHECK(find(training::tunable_model("gpt").knobs({}), "channels_last") == nullptr);
  CHECK(find(training::tunable_model("unet").knobs({}), "checkpointing") == nullptr);
  CHECK(find(training::tunable_model("unet").knobs({}), "channels_last") != nullptr);
  CHECK_FALSE(find(training::tunable_model("gpt").knobs({}), "accumulation")->changes_answer);
  CHECK(find(training::tunable_model("unet").knobs({}), "accumulation")->changes_answer);
}

TEST_CASE("every batch goes into each part of a trial without a rest", "[knobs]") {
  for (const auto& workload : workloads::tunable_workloads()) {
    if (workload.unit != "samples") continue;
    CHECK(workload.amount % run::training_parts == 0);
    const auto knobs = workload.knobs({});
    for (const auto& size : find(knobs, "batch_size")->values)
      CHECK(workload.amount / run::training_parts % std::stoll(size) == 0);
  }
}

TEST_CASE("threads go up to the session's, which is the standard", "[knobs]") {
  CHECK(tuning::threads_knob(1).values == std::vector<std::string>{"1"});
  CHECK(tuning::threads_knob(6).values == std::vector<std::string>{"1", "2", "4", "6"});
  CHECK(tuning::threads_knob(6).standard == "6");
}

TEST_CASE("STGym's standard batch is the one that was asked for", "[knobs]") {
  CHECK(find(stgym::knobs({}), "batch_size")->standard == "16");
  const auto asked = stgym::knobs({{{"batch-size", "12"}}, {}, 1});
  CHECK(find(asked, "batch_size")->values == std::vector<std::string>{"2", "4", "8", "12", "16", "32", "64"});
  CHECK(find(asked, "batch_size")->standard == "12");
}

TEST_CASE("a model's standard batch is the one that was asked for", "[knobs]") {
  CHECK(find(training::tunable_model("unet").knobs({}), "batch_size")->standard == "4");
  const auto asked = training::tunable_model("unet").knobs({{{"batch-size", "12"}}, {}, 1});
  CHECK(find(asked, "batch_size")->values == std::vector<std::string>{"2", "4", "8", "12", "16"});
  CHECK(find(asked, "batch_size")->standard == "12");
}

TEST_CASE("a batch is a whole number from one on", "[knobs]") {
  CHECK(training::batch_size({}, 8) == 8);
  CHECK(training::batch_size({{"batch-size", "3"}}, 8) == 3);
  for (const auto* text : {"0", "-1", "2.5", "many", "", "1000001"})
    CHECK_THROWS_WITH(training::batch_size({{"batch-size", text}}, 8),
                      "--batch-size: '" + std::string(text) + "' is not a whole number from 1 to 1000000");
}

TEST_CASE("a rate that grows does so with the batch, from the standard one", "[knobs]") {
  Settings settings{{"learning_rate", "0.5"}, {"rate_grows", "no"}, {"batch_size", "64"}};
  CHECK(tuning::rate_factor(settings, 16) == 0.5);
  settings["rate_grows"] = "with_batch";
  CHECK(tuning::rate_factor(settings, 16) == 2);
}

TEST_CASE("settings become switches, and the kept rungs stay", "[knobs]") {
  auto settings = tuning::standard_of(training::tunable_model("unet").knobs({{}, gpu, 8}));
  auto expected = training::best();
  expected.channels_last = false;
  CHECK(training::switches_of(settings) == expected);
  settings["channels_last"] = "yes";
  settings["precision"] = "bf16";
  settings["workers"] = "2";
  expected.channels_last = expected.bf16 = expected.workers = true;
  CHECK(training::switches_of(settings) == expected);
  auto graphs = tuning::standard_of(stgym::knobs({}));
  CHECK(stgym::switches_of(graphs) == stgym::all_kept());
  graphs["execution"] = "compiled";
  CHECK(stgym::switches_of(graphs).compiled);
}

}  // namespace
