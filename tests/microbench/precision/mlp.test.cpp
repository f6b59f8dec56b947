#include "microbench/precision/amp.hpp"

#include <catch2/catch_test_macros.hpp>

#include <variant>
#include <vector>

namespace {

using namespace microbench;

float seen(const Mlp& mlp) { return std::get<std::vector<float>>(mlp.answer()).at(0); }

void step(Mlp& mlp, bool descend) {
  mlp.forget_gradients();
  mlp.loss().backward();
  if (descend) mlp.descend();
}

TEST_CASE("the loss curve shows whether steps were taken, in networks of any size", "[mlp]") {
  for (const auto shape : {MlpShape{16, 16}, MlpShape{16, 256}, MlpShape{128, 64}}) {
    INFO(shape.batch << " rows, width " << shape.width);
    Mlp mlp(harness::Setup{}, shape);
    mlp.clear();
    CHECK(seen(mlp) == -1);
    for (int i = 0; i < curve_steps; ++i) step(mlp, false);
    const auto flat = seen(mlp);
    for (int i = 0; i < curve_steps; ++i) step(mlp, true);
    CHECK(seen(mlp) < 0.9F * flat);
  }
}

TEST_CASE("started again, the loss is what it was at first", "[mlp]") {
  Mlp mlp(harness::Setup{}, {16, 32});
  step(mlp, true);
  const auto first = seen(mlp);
  for (int i = 0; i < 10; ++i) step(mlp, true);
  CHECK(seen(mlp) != first);
  mlp.start_again();
  step(mlp, true);
  CHECK(seen(mlp) == first);
}

}  // namespace
