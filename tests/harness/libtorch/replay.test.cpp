#include "harness/libtorch/replay.hpp"

#include "harness/libtorch/precision.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using harness::calls_without;
using harness::OperatorRecord;
using harness::record_operators;
using harness::replay;

using Sequences = std::vector<harness::OperatorSequence>;

constexpr std::int64_t plenty = std::int64_t{64} << 20;

OperatorRecord recorded(const std::function<void()>& work) {
  auto record = record_operators(work, plenty);
  for (const auto& call : record) REQUIRE(call.reason.empty());
  return record;
}

std::vector<std::string> names(const OperatorRecord& record) {
  std::vector<std::string> all;
  for (const auto& call : record) all.push_back(call.op->operator_name().name);
  return all;
}

at::Tensor numbers(std::vector<std::int64_t> shape) { return at::rand(shape); }

TEST_CASE("only outermost operators are recorded", "[replay]") {
  const auto x = numbers({4, 8});
  const auto weight = numbers({2, 8});
  CHECK(names(recorded([&] { at::linear(x, weight).relu_(); })) ==
        std::vector<std::string>{"aten::linear", "aten::relu_"});
}

TEST_CASE("a backward pass on the host is recorded with its operators", "[replay]") {
  const auto x = numbers({4, 8}).requires_grad_(true);
  const auto all = names(recorded([&] { x.mul(x).sum().backward(); }));
  CAPTURE(all);
  CHECK(std::ranges::count(all, "aten::mul") == 3);  // one forward, two backward
}

TEST_CASE("work that both records have is left out, each call once", "[replay]") {
  const auto x = numbers({4, 8});
  const auto three = recorded([&] {
    x.add(x);
    x.add(x);
    x.exp();
  });
  const auto one = recorded([&] { x.add(x); });
  const auto left = calls_without(three, one);
  REQUIRE(left.size() == 2);
  CHECK(left[0]->op->operator_name().name == "aten::add");
  CHECK(left[1]->op->operator_name().name == "aten::exp");
  CHECK(calls_without(one, three).empty());
}

TEST_CASE("layout, type, gradient and settings make other work of the same operator", "[replay]") {
  const auto x = numbers({8, 8});
  const auto plain = recorded([&] { x.exp(); });
  const auto differs = [&](const std::function<void()>& work) {
    return calls_without(recorded(work), plain).size() == 1;
  };
  const auto turned = x.t();
  const auto exact = x.to(at::kDouble);
  const auto learned = x.clone().requires_grad_(true);
  CHECK(differs([&] { turned.exp(); }));
  CHECK(differs([&] { exact.exp(); }));
  CHECK(differs([&] { learned.exp(); }));
  CHECK(differs([&] {
    const harness::MatmulPrecision medium("medium");
    x.exp();
  }));
  CHECK_FALSE(differs([&] { x.exp(); }));
}

TEST_CASE("a number with a fraction makes no other work, a whole number does", "[replay]") {
  const auto x = numbers({8, 8});
  const auto scaled = recorded([&] { x.mul(0.5); });
  CHECK(calls_without(recorded([&] { x.mul(0.25); }), scaled).empty());
  const auto summed = recorded([&] { x.sum(0); });
  CHECK(calls_without(recorded([&] { x.sum(1); }), summed).size() == 1);
}

TEST_CASE("a replay leaves the recorded tensors and settings as they were", "[replay]") {
  const auto x = numbers({8, 8});
  const auto before = x.clone();
  OperatorRecord record;
  {
    const harness::MatmulPrecision medium("medium");
    record = recorded([&] { x.mul_(2).add_(1); });
  }
  const auto after = x.clone();
  const auto times = replay(Sequences{calls_without(record, {})}, 3);
  CHECK(times.reason.empty());
  CHECK(x.equal(after));
  CHECK_FALSE(x.equal(before));
  CHECK(at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::HIGHEST);
}

TEST_CASE("what an operator writes starts each pass as it was recorded", "[replay]") {
  const auto x = at::full({1}, 1.0);
  const auto record = recorded([&] { x.mul_(0.5); });
  const auto times = replay(Sequences{calls_without(record, {})}, 3);
  REQUIRE(times.reason.empty());
  CHECK(record[0].written[0].copy.item<double>() == 0.5);
}

TEST_CASE("indices are run again with their own values", "[replay]") {
  const auto table = numbers({100, 4});
  const auto small = numbers({3, 4});
  const auto record = recorded([&] {
    table.index_select(0, at::full({2}, 99, at::kLong));
    small.index_select(0, at::full({2}, 2, at::kLong));
  });
  CHECK(replay(Sequences{calls_without(record, {})}, 1).reason.empty());
}

TEST_CASE("each turn has a time for each sequence, and an empty one takes none", "[replay]") {
  const auto x = numbers({64, 64});
  const auto record = recorded([&] { x.matmul(x); });
  const auto times = replay(Sequences{calls_without(record, {}), calls_without(record, record)}, 4);
  REQUIRE(times.turns.size() == 4);
  for (const auto& turn : times.turns) {
    REQUIRE(turn.size() == 2);
    CHECK(turn[0] > 0);
    CHECK(turn[1] == 0);
  }
}

TEST_CASE("a call that is too large or cannot be run again says why, and the others go on", "[replay]") {
  const auto x = numbers({64, 64});
  const auto y = numbers({2});
  const auto large = record_operators(
      [&] {
        x.exp();
        y.exp();
      },
      100);
  REQUIRE(large.size() == 2);
  CHECK(large[0].reason == "aten::exp: its inputs are too large to keep");
  CHECK(large[1].reason.empty());
  auto resized = at::empty({2});
  const auto unrepeatable = record_operators([&] { resized.resize_({4}); }, plenty);
  REQUIRE(unrepeatable.size() == 1);
  CHECK_THAT(unrepeatable[0].reason, ContainsSubstring("aten::resize_ cannot be run again"));
  CHECK(harness::repeatable(calls_without(unrepeatable, {})).empty());
}

TEST_CASE("a call that cannot be run again and that both forms have is left out like any other", "[replay]") {
  auto resized = at::empty({2});
  const auto record = record_operators([&] { resized.resize_({4}); }, plenty);
  CHECK(calls_without(record, {}).size() == 1);
  CHECK(calls_without(record, record).empty());
}

TEST_CASE("operators of sparse tensors are run again", "[replay]") {
  const auto sparse = at::eye(3).to_sparse();
  const auto more = at::ones({3, 3}).to_sparse();
  const auto dense = recorded([&] { sparse.to_dense(); });
  CHECK(replay(Sequences{calls_without(dense, {})}, 1).reason.empty());
  CHECK(calls_without(recorded([&] { more.to_dense(); }), dense).size() == 1);
}

TEST_CASE("what is written in place while gradients are recorded is run again", "[replay]") {
  const auto weight = numbers({4, 4}).requires_grad_(true);
  const auto record = recorded([&] {
    auto target = at::zeros({4, 8}).slice(1, 0, 4);
    target.copy_(weight);
  });
  CHECK(replay(Sequences{calls_without(record, {})}, 1).reason.empty());
}

TEST_CASE("recording ends where the work throws", "[replay]") {
  CHECK_THROWS_AS(record_operators([] { throw std::runtime_error("midway"); }, plenty), std::runtime_error);
  const auto x = numbers({2});
  CHECK(names(recorded([&] { x.exp(); })).size() == 1);
}

}  // namespace
