#include "tests/workloads/stgym/data/files.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using namespace workloads::stgym;
using Graphs = std::vector<std::int64_t>;

Dataset graphs(std::int64_t count) {
  Dataset data;
  data.source = "cells.csv";
  data.offsets.resize(static_cast<std::size_t>(count) + 1);
  std::iota(data.offsets.begin(), data.offsets.end(), 0);
  return data;
}

Graphs first(std::int64_t count) {
  Graphs result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

}  // namespace

TEST_CASE("159 graphs are split into 111, 23 and 25") {
  const auto parts = split(graphs(159), 1);
  CHECK(parts.train.size() == 111);
  CHECK(parts.validation.size() == 23);
  CHECK(parts.test.size() == 25);
}

TEST_CASE("every graph is in exactly one part") {
  const auto parts = split(graphs(159), 1);
  auto all = parts.train;
  all.insert(all.end(), parts.validation.begin(), parts.validation.end());
  all.insert(all.end(), parts.test.begin(), parts.test.end());
  std::ranges::sort(all);
  CHECK(all == first(159));
}

TEST_CASE("a seed gives the same split again, another seed another") {
  CHECK(split(graphs(159), 1).train == split(graphs(159), 1).train);
  CHECK(split(graphs(159), 1).train != split(graphs(159), 2).train);
}

TEST_CASE("seven graphs are the fewest that fill every part") {
  const auto parts = split(graphs(7), 1);
  CHECK(parts.train.size() == 4);
  CHECK(parts.validation.size() == 1);
  CHECK(parts.test.size() == 2);
}

TEST_CASE("an empty part of the split is refused") {
  CHECK(refusal("cells.csv", [] { split(graphs(6), 1); }) ==
        ": the validation part of a 70/15/15 split is empty with 6 graphs; it needs at least 7");
  CHECK(refusal("cells.csv", [] { split(graphs(1), 1); }) ==
        ": the training part of a 70/15/15 split is empty with 1 graph; it needs at least 7");
}

TEST_CASE("ratios of one's own are rounded down, the rest tests") {
  const auto parts = split(graphs(100), space::RatioSplit{0.29, 0.5, 0.21}, 1);
  CHECK(parts.train.size() == 29);
  CHECK(parts.validation.size() == 50);
  CHECK(parts.test.size() == 21);
}

TEST_CASE("of the folds one tests, the next validates and the others train") {
  const space::FoldSplit last{.num_folds = 4, .split_index = 3};
  const auto parts = split(graphs(10), last, 1);
  CHECK(parts.test == split(graphs(10), space::FoldSplit{4, 2}, 1).validation);
  CHECK(parts.validation == split(graphs(10), space::FoldSplit{4, 0}, 1).test);
  CHECK(parts.train.size() == 10 - parts.test.size() - parts.validation.size());
}

TEST_CASE("over all folds every graph tests once, and never trains where it tests or validates") {
  Graphs tested;
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    const auto parts = split(graphs(23), space::FoldSplit{5, fold}, 1);
    tested.insert(tested.end(), parts.test.begin(), parts.test.end());
    auto all = parts.train;
    all.insert(all.end(), parts.validation.begin(), parts.validation.end());
    all.insert(all.end(), parts.test.begin(), parts.test.end());
    std::ranges::sort(all);
    CHECK(all == first(23));
  }
  std::ranges::sort(tested);
  CHECK(tested == first(23));
}

TEST_CASE("a part of a configured split that is empty is refused with the field's path") {
  CHECK(refusal("cells.csv", [] { split(graphs(6), space::RatioSplit{}, 1); }) ==
        ": data_loader.split: the validation part of a 70/15/15 split is empty with 6 graphs; it needs "
        "at least 7");
  CHECK(refusal("cells.csv", [] { split(graphs(14), space::FoldSplit{20, 0}, 1); }) ==
        ": data_loader.split.num_folds: 14 graphs cannot fill 20 folds");
}

TEST_CASE("111 graphs make 7 batches of 16, the last one smaller") {
  const auto made = batches(first(111), 16);
  REQUIRE(made.size() == 7);
  CHECK(made.front() == first(16));
  CHECK(made.back().size() == 15);
}

TEST_CASE("a batch size that divides leaves no empty batch") { CHECK(batches(first(32), 16).size() == 2); }

TEST_CASE("a batch size of 0 is refused") {
  CHECK(refusal("--batch-size", [] { batches(first(3), 0); }) == ": 0 is not a positive number");
}

TEST_CASE("shuffled batches hold every graph once, in an order of each epoch's own") {
  const auto one = shuffled_batches(first(111), 16, 1, 0);
  CHECK(one == shuffled_batches(first(111), 16, 1, 0));
  CHECK(one != shuffled_batches(first(111), 16, 1, 1));
  CHECK(one != shuffled_batches(first(111), 16, 2, 0));
  Graphs all;
  for (const auto& batch : one) all.insert(all.end(), batch.begin(), batch.end());
  std::ranges::sort(all);
  CHECK(all == first(111));
}
