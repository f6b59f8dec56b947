// How a synthetic cell looks: which genes its class expresses, and how much.
#pragma once

#include "workloads/stgym/data/synthetic.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>

namespace workloads::stgym {

using Engine = std::mt19937_64;

/// A source of bits of its own for each part of a data set, so that threads cannot change what is drawn.
Engine engine_for(std::uint64_t seed, const std::string& part);

constexpr std::size_t word_bits = 64;
constexpr std::size_t gene_words = (Published::features + word_bits - 1) / word_bits;
using GeneSet = std::array<std::uint64_t, gene_words>;  // one bit per gene

/// A count divided by the depth of its cell, then log1p: values[depth][count - 1].
constexpr std::size_t depths = 64;
constexpr std::size_t counts = 5;
using Values = std::array<std::array<float, counts>, depths>;

/// What all graphs share: how classes look and where they lie.
struct Recipe {
  struct Class {
    GeneSet markers{};
    std::int64_t x = 0, y = 0;    // centre of its cluster, in steps of a grid
    std::int64_t half_steps = 0;  // its width
  };
  std::array<Class, Published::classes> of_class;
  Values values;
};

Recipe make_recipe(std::uint64_t seed);

/// Writes the features of one cell: about 0.1 of them above 0, the markers of its class more often.
void draw_features(std::span<float> row, const Recipe& recipe, std::int64_t label, Engine& engine);

}  // namespace workloads::stgym
