#include "harness/tune/train_once.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>

namespace harness::tune {
namespace {

using Catch::Matchers::ContainsSubstring;

TrainSetup setup() {
  return {.worker = {std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_trainer", {}, {}},
          .order = {.workload = "fake", .settings = {}, .options = {}, .amount = 64, .loader = ""},
          .said = [](const std::string&) {}};
}

Ended trained(const std::string& act, const TrainSetup& how = setup(), int give_up_at = 100) {
  SignalWatch signals;
  return train_once(
      how, {7, {{"act", act}}}, [&](const run::PartTrained& part) { return part.part >= give_up_at; },
      signals);
}

TEST_CASE("a training's answer comes back whole", "[train]") {
  const auto ended = trained("good");
  CHECK_FALSE(ended.signal);
  CHECK(ended.tried.number == 7);
  CHECK(ended.tried.state == State::complete);
  CHECK(ended.tried.answer == run::Trained{1e-3, 5e6, 1.5, 64});
}

TEST_CASE("a training that is given up on ends at once", "[train]") {
  const auto ended = trained("hang_late", setup(), 3);
  CHECK(ended.tried.state == State::pruned);
  CHECK(ended.tried.answer.seconds_per_sample == 1e-3);
}

TEST_CASE("a worker that dies, hangs or talks nonsense makes a failed trial", "[train]") {
  CHECK_THAT(trained("segfault").tried.reason, ContainsSubstring("signal 11"));
  CHECK_THAT(trained("exit").tried.reason, ContainsSubstring("no room"));
  CHECK_THAT(trained("nonsense").tried.reason, ContainsSubstring("cannot be understood"));
  CHECK(trained("impossible").tried.reason == "no compiler");
  auto impatient = setup();
  impatient.timeout = Seconds(0.2);
  impatient.timeout_text = "200ms";
  CHECK(trained("hang", impatient).tried.reason == "took longer than 200ms");
  for (const auto* act : {"segfault", "exit", "nonsense", "impossible"})
    CHECK(trained(act).tried.state == State::failed);
}

TEST_CASE("wrong input ends the search with its sentence", "[train]") {
  CHECK_THROWS_WITH(trained("bad_input"), "--text: no file");
}

}  // namespace
}  // namespace harness::tune
