#include "workloads/stgym/data/recipe.hpp"

#include "harness/core/slot_order.hpp"

#include <algorithm>
#include <bit>

namespace workloads::stgym {
namespace {

constexpr std::size_t gene_count = Published::features;

/// ln(v) for v >= 0.75. Own, since the bits of std::log differ between libraries.
double natural_log(double v) {
  double result = 0;
  constexpr double ln2 = 0.69314718055994530942;
  for (; v >= 1.5; v /= 2) result += ln2;
  const double z = (v - 1) / (v + 1);
  double power = z;
  for (int i = 1; i < 60; i += 2) {
    result += 2 * power / i;
    power *= z * z;
  }
  return result;
}

Values make_values() {
  Values values;
  for (std::size_t depth = 0; depth < depths; ++depth)
    for (std::size_t count = 0; count < counts; ++count) {
      const auto per_count = 0.5 + static_cast<double>(depth) / 16;  // 10,000 over all counts of the cell
      values[depth][count] = static_cast<float>(natural_log(1 + per_count * static_cast<double>(count + 1)));
    }
  return values;
}

void add_markers(GeneSet& set, int count, Engine& engine) {
  for (int i = 0; i < count; ++i) {
    const auto gene = engine() % gene_count;
    set[gene / word_bits] |= std::uint64_t{1} << (gene % word_bits);
  }
}

/// Which genes a cell of the class expresses: word w of the base at a rate of 1/4 to 1/64, markers at 1/2
/// more.
std::uint64_t expressed(std::size_t w, const Recipe::Class& of_class, Engine& engine) {
  auto genes = engine() & engine();  // NOLINT(misc-redundant-expression): two draws
  for (std::size_t halvings = w % 5; halvings > 0; --halvings) genes &= engine();
  if (of_class.markers[w] != 0) genes |= of_class.markers[w] & engine();
  constexpr auto in_last_word = gene_count - (gene_words - 1) * word_bits;
  return w + 1 < gene_words ? genes : genes & ((std::uint64_t{1} << in_last_word) - 1);
}

}  // namespace

Engine engine_for(std::uint64_t seed, const std::string& part) {
  return Engine(harness::row_seed(seed, "stgym/" + part));
}

Recipe make_recipe(std::uint64_t seed) {
  constexpr std::size_t lineages = 7;
  constexpr int lineage_markers = 24;
  constexpr int own_markers = 32;
  constexpr std::uint64_t grid = std::uint64_t{1} << 21;
  auto engine = engine_for(seed, "classes");
  Recipe recipe{.of_class = {}, .values = make_values()};
  std::array<GeneSet, lineages> lineage{};
  for (auto& set : lineage) add_markers(set, lineage_markers, engine);
  for (std::size_t c = 0; c < recipe.of_class.size(); ++c) {
    auto& it = recipe.of_class[c];
    it.markers = lineage[c % lineages];
    add_markers(it.markers, own_markers, engine);
    it.x = static_cast<std::int64_t>(engine() % grid);
    it.y = static_cast<std::int64_t>(engine() % grid);
    it.half_steps = static_cast<std::int64_t>(2 + engine() % 4);
  }
  return recipe;
}

void draw_features(std::span<float> row, const Recipe& recipe, std::int64_t label, Engine& engine) {
  const auto& of_class = recipe.of_class[static_cast<std::size_t>(label)];
  const auto& values = recipe.values[engine() % depths];
  std::ranges::fill(row, 0.0F);
  std::uint64_t bits = 0;
  int left = 0;
  for (std::size_t w = 0; w < gene_words; ++w) {
    for (auto genes = expressed(w, of_class, engine); genes != 0; genes &= genes - 1) {
      if (left-- == 0) {
        bits = engine();
        left = 15;
      }
      // Four bits a gene: half of the counts are 1, a quarter 2, and so on to 5.
      const auto count = static_cast<std::size_t>(std::countr_zero((bits & 0xF) | 0x10));
      bits >>= 4;
      row[w * word_bits + static_cast<std::size_t>(std::countr_zero(genes))] = values[count];
    }
  }
}

}  // namespace workloads::stgym
