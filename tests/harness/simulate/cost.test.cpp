#include "harness/simulate/cost.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/published_figures.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Approx;
using Does = Entry::Does;

/// Round numbers, so that times can be worked out by hand.
Gpu example() {
  Gpu gpu = find_gpu("a30");
  for (const auto* setting :
       {"multiprocessors=10", "memory_rate=1000", "memory_share=0.5", "fp32=10", "fp32_share=0.5",
        "kernel_least=2", "reduction_least=9", "link_generation=2", "link_rate_2=8", "link_share=0.5",
        "copy_start=10", "staging_rate=2", "launch=3", "operator=4", "copy_call=3"})
    set_value(gpu, setting);
  return gpu;
}

TEST_CASE("a kernel takes a least time, and what its bytes or its FLOP take, whichever is longer",
          "[simulate]") {
  CHECK(kernel_seconds({.bytes = 5e9}, example()) == Approx(10e-3 + 2e-6));
  CHECK(kernel_seconds({.bytes = 5e9, .flop = 1e12}, example()) == Approx(0.2 + 2e-6));
  CHECK(kernel_seconds({}, example()) == Approx(2e-6));
  CHECK(kernel_seconds({.reduction = true}, example()) == Approx(9e-6));
  CHECK(kernel_seconds({.bytes = 5e9, .us = 7}, example()) == Approx(7e-6));
}

TEST_CASE("a kernel that was made to take as long as a copy takes the copy's time there", "[simulate]") {
  CHECK(kernel_seconds({.bytes = 5e9, .as_copy = 4e6}, example()) == Approx(10e-6 + 1e-3));
}

TEST_CASE("an error of the model does not shift a time that is given", "[simulate]") {
  const auto lasts = [](const Entry& kernel, Kind kind) {
    const auto schedule = schedule_of({"naive", {kernel}, {}}, example(), {kind, 2});
    return std::get<Submit>(schedule.calls.at(0)).command.lasts;
  };
  CHECK(lasts({.us = 7}, Kind::memory) == 7000);
  CHECK(lasts({.as_copy = 4e6}, Kind::pinned) == 2 * 1'010'000);
}

TEST_CASE("a few blocks get their multiprocessors' share of the cache's rate, at most the memory's",
          "[simulate]") {
  auto gpu = example();  // 10 multiprocessors, 500 of 1000 GB/s
  set_value(gpu, "cache_rate=4");
  const auto seconds = [&](int blocks) { return kernel_seconds({.bytes = 5e9, .blocks = blocks}, gpu); };
  CHECK(seconds(1) == Approx(5e9 / 400e9 + 2e-6));
  CHECK(seconds(2) == Approx(10e-3 + 2e-6));
  CHECK(seconds(1000) == Approx(10e-3 + 2e-6));
  CHECK(seconds(0) == Approx(10e-3 + 2e-6));
}

TEST_CASE("the last wave of blocks counts as a whole one", "[simulate]") {
  CHECK(kernel_seconds({.flop = 1e12, .blocks = 10}, example()) == Approx(0.2 + 2e-6));
  CHECK(kernel_seconds({.flop = 1e12, .blocks = 11}, example()) == Approx(0.2 * 20 / 11 + 2e-6));
}

TEST_CASE("arithmetic of single operations gets half of the rate that counts FMA as two", "[simulate]") {
  CHECK(kernel_seconds({.flop = 1e12, .unit = "arithmetic"}, example()) == Approx(0.2 + 2e-6));
}

TEST_CASE("a product of sparse matrices takes its bytes or its pairs, whichever is longer", "[simulate]") {
  auto gpu = example();
  set_value(gpu, "sparse_product=0.02");        // of 1000 GB/s: 20 GFLOP/s
  set_value(gpu, "sparse_product_share=0.01");  // 10 GB/s
  CHECK(kernel_seconds({.bytes = 5e8, .flop = 2e9, .unit = "sparse_product"}, gpu) == Approx(0.1 + 2e-6));
  CHECK(kernel_seconds({.bytes = 5e9, .sorted = 4e9, .flop = 2e9, .unit = "sparse_product"}, gpu) ==
        Approx(0.5 + 2e-6));
}

TEST_CASE("what is sorted goes by the share of sorts, the rest by the memory's", "[simulate]") {
  auto gpu = example();
  set_value(gpu, "sort_share=0.1");
  CHECK(kernel_seconds({.bytes = 6e9, .sorted = 1e9}, gpu) == Approx(5e9 / 500e9 + 1e9 / 100e9 + 2e-6));
}

TEST_CASE("a sort and a product of sparse matrices are many commands, with waits for numbers between them",
          "[simulate]") {
  auto gpu = example();
  for (const auto* setting : {"sort_commands=5", "sort_reads=2", "sort_share=0.1",
                              "sparse_product_commands=3", "sparse_product_reads=1"})
    set_value(gpu, setting);
  const auto words_of = [&](const Entry& entry) {
    std::string words;
    for (const auto& call : schedule_of({"naive", {entry}, {}}, gpu).calls)
      words += std::holds_alternative<Synchronize>(call) ? "w" : "s";
    return words;
  };
  CHECK(words_of({.bytes = 1e9, .sorted = 1e9}) == "sswssws");
  CHECK(words_of({.bytes = 1e9, .unit = "sparse_product"}) == "ssws");
  CHECK(words_of({.bytes = 1e9, .sorted = 1e9, .times = 2}) ==
        "sswssws"
        "sswssws");
  CHECK(words_of({.bytes = 1e9}) == "s");
  set_value(gpu, "sort_reads=90");  // of 5 commands
  CHECK(words_of({.bytes = 1e9, .sorted = 1e9}) == "swswswsws");
  const auto last = schedule_of({"naive", {{.bytes = 1e9, .sorted = 1e9}}, {}}, gpu).calls.back();
  CHECK(std::get<Submit>(last).command.lasts == 10'002'000);
}

TEST_CASE("a convolution reaches a share of what products reach", "[simulate]") {
  auto gpu = example();
  set_value(gpu, "convolution_share=0.5");
  CHECK(kernel_seconds({.name = "aten::convolution", .flop = 1e12}, gpu) == Approx(0.4 + 2e-6));
}

TEST_CASE("a kind of product that the sheet does not know is refused", "[simulate]") {
  CHECK_THROWS_AS(kernel_seconds({.flop = 1, .unit = "tf32"}, find_gpu("v100")), BadInput);
}

TEST_CASE("a copy takes a start and its bytes at the link's rate, or at the staging rate", "[simulate]") {
  const Entry pinned{.does = Does::copy, .bytes = 4e6, .way = "h2d"};
  auto pageable = pinned;
  pageable.pageable = true;
  CHECK(copy_seconds(pinned, example()) == Approx(10e-6 + 1e-3));
  CHECK(copy_seconds(pageable, example()) == Approx(10e-6 + 2e-3));
}

TEST_CASE("a small pageable copy returns at once, a large one when it has ended", "[simulate]") {
  const auto call = [](double bytes) {
    const Entry copy{.does = Does::copy, .bytes = bytes, .way = "h2d", .pageable = true};
    return std::get<Submit>(schedule_of({"naive", {copy}, {}}, example()).calls.at(0));
  };
  CHECK_FALSE(call(2000).waits);
  CHECK(call(2000).host == 3000 + 1000);
  CHECK(call(1e6).waits);
}

TEST_CASE("an operator on host tensors takes its dispatch, its bytes and the pages of new memory",
          "[simulate]") {
  auto gpu = example();
  for (const auto* setting : {"host_rate=10", "touch_rate=2", "fresh_at_least=1e6", "host_operator=1"})
    set_value(gpu, setting);
  const auto host = [&](double fresh) {
    const Entry entry{.does = Does::compute, .bytes = 4e6, .fresh = fresh, .is_operator = true};
    return std::get<Compute>(schedule_of({"naive", {entry}, {}}, gpu).calls.at(0)).lasts;
  };
  CHECK(host(1e5) == 1000 + 400'000);
  CHECK(host(2e6) == 1000 + 400'000 + 1'000'000);
}

TEST_CASE("a graph's node has no least time of its own", "[simulate]") {
  const Entry graph{.does = Does::graph, .nodes = {{.bytes = 5e9}}};
  const auto schedule = schedule_of({"naive", {graph}, {}}, example());
  CHECK(std::get<LaunchGraph>(schedule.calls.at(0)).nodes.at(0).command.lasts == 10'000'000);
}

TEST_CASE("an operator costs the host its dispatch and its launch", "[simulate]") {
  const FormRecord form{"naive", {{.bytes = 1, .is_operator = true, .times = 2}}, {}};
  const auto schedule = schedule_of(form, example());
  REQUIRE(schedule.calls.size() == 2);
  CHECK(std::get<Submit>(schedule.calls[1]).host == 7000);
}

TEST_CASE("half of the published figures of each round judge, the same at every time", "[simulate]") {
  const auto figures = published_figures();
  const auto judging = [&](int round) {
    return std::ranges::count_if(figures, [&](const auto& one) { return one.judges && one.round == round; });
  };
  CHECK(figures.size() == 104);
  CHECK(judging(1) == 17);
  CHECK(judging(2) == 36);
  CHECK(std::ranges::find(figures, "a100-tf32", &Figure::id)->judges == false);
}

TEST_CASE("a rate and a time that are off alike have the same factor", "[simulate]") {
  Figure time{.id = "time", .gpu = "a30", .unit = "us", .of = "end", .published = 1, .work = {}};
  time.work.entries = {{.us = 100}};
  auto rate = time;
  rate.unit = "GB/s";
  rate.amount = 1e9;
  rate.published = 1e6;  // in one microsecond
  const auto judged = judge_figures({time, rate});
  CHECK(judged[0].factor == Approx(judged[1].factor));
  CHECK(judged[0].factor > 100);
}

}  // namespace
