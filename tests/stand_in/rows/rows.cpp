// Every row that runs on a device, once: both forms, the same answer, one slot of each. A test for each step.
#include "harness/catalogue/catalogue.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/core/slot.hpp"
#include "harness/cuda/event.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/heap.hpp"
#include "harness/support/channel.hpp"

#include "microbench/dataload/sources.hpp"
#include "microbench/microbench_steps.hpp"
#include "microbench/remote_sources.hpp"
#include "microbench/variability/device_load.hpp"
#include "workloads/workloads_steps.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_message.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include "cells.hpp"
#include "left_out.hpp"
#include "sizes.hpp"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};

/// One timed run of each form, by the step's own clock.
template <class C>
void take_slots(const Trial& trial, C clock) {
  for (const auto form : {Form::naive, Form::optimized}) {
    const auto before = [&] {
      if (trial.before_slot) trial.before_slot(form);
    };
    const auto& run = form == Form::naive ? trial.naive : trial.optimized;
    const auto warm_up = [&] { trial.warm_up ? trial.warm_up(form) : run(); };
    const auto times = time_slot(clock, SlotBody{before, warm_up, run, 1, trial.whole_slot});
    CHECK(times.runs.size() == 1);
  }
}

/// What a lesson in correctness showed; empty for other rows.
std::string run_row(const Step& step, const Point& point, Setup& setup) {
  const auto trial = step.prepare(setup, point);
  const auto drain = [] { check(cudaDeviceSynchronize()); };
  drain();  // uploads are set-up too
  WrongAnswers wrong;
  if (trial.truth)
    count_wrong(trial, tolerance_on(step, cuda), drain, wrong);
  else
    check_same_answer(trial, tolerance_on(step, cuda), drain);
  if (trial.figures) CHECK_FALSE(trial.figures().empty());
  trial.clear();
  if (trial.timer == Timer::event)
    take_slots(trial, EventClock(*setup.stream));
  else
    take_slots(trial, WallClock(drain));
  return trial.truth ? fmt::format(": the naive form was wrong in {} of {} tries", wrong.naive, wrong.tries)
                     : "";
}

/// False where the row says that it cannot run here.
bool try_row(const Step& step, const Point& point, Setup& setup) {
  const auto name = row_name(step, point, cuda);
  INFO(name);
  const auto begin = std::clock();
  const auto say = [&](const std::string& how) {
    const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;  // of all threads
    std::printf("%6.1f s  %s%s\n", seconds, name.c_str(), how.c_str());
    std::fflush(stdout);
  };
  try {
    say(run_row(step, point, setup));
    return true;
  } catch (const Skip& skip) {
    say(std::string(": skipped: ") + skip.what());
  } catch (const std::exception& error) {
    const auto sentence = fault_of(error, cuda).sentence;
    say(": " + sentence);
    FAIL_CHECK(sentence);
  }
  return false;
}

/// Runs each row once; rows that are the same at the stand-in's sizes, together. How many ran.
int run_rows(const Step& step, const TorchRuntime& torch, Setup& setup) {
  std::set<std::string> met;
  int ran = 0;
  for (const auto& whole : points(step, cuda)) {
    const auto point = rows::capped(step, whole);
    const auto name = row_name(step, point, cuda);
    const auto full = row_name(step, whole, cuda);
    if (full != name) std::printf("          %s: here %s\n", full.c_str(), name.c_str());
    if (!met.insert(name).second) continue;
    if (const auto* why = rows::left_out(name)) {
      std::printf("          %s: left out: %s\n", name.c_str(), why->c_str());
      continue;
    }
    ran += try_row(step, point, setup) ? 1 : 0;
    torch.release_memory();
  }
  return ran;
}

/// What all rows of the process share, as those of a worker do: STGym's data and the device's rates are made
/// once.
struct Session {
  rows::CellsFile cells;
  TorchRuntime torch{at::get_num_threads()};
  Setup setup;

  Session() {
    setup.device = cuda;
    setup.threads = 8;  // as many as any row asks for
    setup.options = {{"data", "breast-cancer=" + cells.path().string()},
                     {"epochs", "1"},
                     {"batch-size", "4"},
                     {"memory", "48M"}};
    setup.stream = torch.stream_for(cuda);
  }
};

std::vector<const Step*> steps_on_a_device() {
  std::vector<const Step*> all;
  for (const auto steps : {microbench::steps(), workloads::steps()})
    for (const auto* step : steps)
      if (step->runs != Runs::host) all.push_back(step);
  return all;
}

class Invoker final : public Catch::ITestInvoker {
 public:
  Invoker(const Step& step, std::optional<Session>& session) : step_(step), session_(session) {}
  void invoke() const override {
    if (!session_) session_.emplace();
    auto& options = session_->setup.options;
    const auto all = options;
    if (step_.id == "gpt/checkpoint_batch") options.erase("batch-size");  // it searches for its batch
    if (step_.id.starts_with("sage/")) options["scale"] = "0.002";        // a graph of 4,898 nodes
    const auto ran = run_rows(step_, session_->torch, session_->setup);
    options = all;
    if (ran == 0) SKIP("no row of " << step_.id << " runs here");
  }

 private:
  const Step& step_;
  std::optional<Session>& session_;  // made by the first step that runs
};

TEST_CASE("what is left out names rows that there are", "[left_out]") {
  std::vector<std::string> names;
  for (const auto* step : steps_on_a_device())
    for (const auto& point : points(*step, cuda))
      names.push_back(row_name(*step, rows::capped(*step, point), cuda));
  for (const auto& line : rows::all_left_out()) {
    INFO(line.row);
    CHECK(std::ranges::find(names, line.row) != names.end());
    CHECK(line.why.size() > 10);
  }
}

TEST_CASE("each cap makes a row smaller", "[sizes]") {
  const auto all = steps_on_a_device();
  for (const auto& cap : rows::all_caps()) {
    INFO(cap.step << " " << cap.axis);
    CHECK(std::ranges::any_of(all, [&](const Step* step) {
      if (!cap.step.empty() && cap.step != step->id) return false;
      return std::ranges::any_of(step->axes, [&](const Axis& axis) {
        if (axis.name != cap.axis) return false;
        const auto values = axis.all_values();
        if (!axis.has_labels()) return std::ranges::max(values) > cap.most;
        return values.size() > 1 && std::ranges::count(values, cap.most) == 1;
      });
    }));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (is_loader_call(argc, argv)) {
    const auto tips = microbench::loader_sources();
    std::vector<BatchSource> all(tips.begin(), tips.end());
    for (const auto& source : workloads::loader_sources()) all.push_back(source);
    for (const auto& source : microbench::device_loads()) all.push_back(source);
    for (const auto& source : microbench::remote_sources()) all.push_back(source);
    return loader_main(argc, argv, all);
  }
  keep_freed_memory();  // as in a worker
  std::optional<Session> session;
  for (const auto* step : steps_on_a_device())
    const Catch::AutoReg registered(Catch::Detail::make_unique<Invoker>(*step, session),
                                    CATCH_INTERNAL_LINEINFO, Catch::StringRef(),
                                    {std::string(step->id), "[rows]"});
  return Catch::Session().run(argc, argv);
}
