#include "harness/core/plant.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace harness;

namespace {

/// A trial on a clock that passes 1 s with each run, and 1 ms with each reading.
struct Planted {
  double now = 0;
  std::vector<std::string> diary;

  Slowdown slowdown() {
    return busy_slowdown({}, [this] {
      now += 0.001;
      return now;
    });
  }
  std::function<void()> run(const char* name) {
    return [this, name] {
      diary.emplace_back(name);
      now += 1;
    };
  }
  std::function<void(Form)> note(const std::string& what) {
    return [this, what](Form form) { diary.push_back(what + " " + std::string(to_string(form))); };
  }
  Trial trial() {
    return {
        .naive = run("naive"),
        .optimized = run("optimized"),
        .clear = [this] { diary.emplace_back("clear"); },
        .answer = [](Form form) -> Answer { return std::vector<float>{form == Form::naive ? 1.0F : 2.0F}; },
        .before_slot = note("before"),
        .warm_up = note("warm up")};
  }
  double seconds_of(const std::function<void()>& form) {
    const auto before = now;
    form();
    return now - before;
  }
};

}  // namespace

TEST_CASE("without a plant a set stays what it is", "[plant]") {
  Planted test;
  const auto trial = planted(test.trial(), {}, test.slowdown());
  CHECK(test.seconds_of(trial.naive) == Catch::Approx(1));
  CHECK(test.seconds_of(trial.optimized) == Catch::Approx(1));
  CHECK(test.diary == std::vector<std::string>{"naive", "optimized"});
}

TEST_CASE("in an A/A set both forms are the naive one, whatever is asked of the other", "[plant]") {
  Planted test;
  const auto trial = planted(test.trial(), {.same_forms = true}, test.slowdown());
  trial.clear();
  trial.before_slot(Form::optimized);
  trial.warm_up(Form::optimized);
  trial.optimized();
  trial.naive();
  CHECK(test.diary == std::vector<std::string>{"clear", "before naive", "warm up naive", "naive", "naive"});
  CHECK(std::get<std::vector<float>>(trial.answer(Form::optimized)) == std::vector{1.0F});
  CHECK_FALSE(trial.figures);
}

TEST_CASE("an A/A set without hooks stays without them", "[plant]") {
  Planted test;
  auto plain = test.trial();
  plain.before_slot = plain.warm_up = {};
  const auto trial = planted(std::move(plain), {.same_forms = true}, test.slowdown());
  CHECK_FALSE(trial.before_slot);
  CHECK_FALSE(trial.warm_up);
}

TEST_CASE("a form is slowed by a share of its own time, the other is not", "[plant]") {
  Planted test;
  const auto trial = planted(test.trial(), {.same_forms = true, .slow_optimized = 0.05}, test.slowdown());
  CHECK(test.seconds_of(trial.naive) == Catch::Approx(1));
  CHECK(test.seconds_of(trial.optimized) == Catch::Approx(1.05).margin(0.005));
}

TEST_CASE("the mirror slows the naive form", "[plant]") {
  Planted test;
  const auto trial = planted(test.trial(), {.slow_naive = 0.12}, test.slowdown());
  CHECK(test.seconds_of(trial.naive) == Catch::Approx(1.12).margin(0.005));
  CHECK(test.seconds_of(trial.optimized) == Catch::Approx(1));
}

TEST_CASE("what a device still has to do counts as the form's own time", "[plant]") {
  Planted test;
  const auto device = [&test] { test.now += 2; };
  const auto slowdown = busy_slowdown(device, [&test] { return test.now += 0.001; });
  const auto trial = planted(test.trial(), {.slow_naive = 0.10}, slowdown);
  CHECK(test.seconds_of(trial.naive) == Catch::Approx(3.3).margin(0.005));
}

TEST_CASE("a pipelined form is not slowed but skipped", "[plant]") {
  Planted test;
  auto pipelined = test.trial();
  pipelined.whole_slot = true;
  CHECK_THROWS_AS(planted(pipelined, {.slow_naive = 0.05}, test.slowdown()), Skip);
  CHECK_NOTHROW(planted(pipelined, {.same_forms = true}, test.slowdown()));
}

TEST_CASE("in an A/A set of a lesson in correctness both forms are the right one", "[plant]") {
  Planted test;
  auto lesson = test.trial();
  lesson.truth = []() -> Answer { return std::vector<float>{2}; };
  const auto trial = planted(std::move(lesson), {.same_forms = true}, test.slowdown());
  trial.before_slot(Form::naive);
  trial.naive();
  CHECK(test.diary == std::vector<std::string>{"before optimized", "optimized"});
  CHECK(std::get<std::vector<float>>(trial.answer(Form::naive)) == std::vector{2.0F});
}
