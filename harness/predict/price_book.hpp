// The prices of this machine, looked up for a piece of work: what `tuneproof prices` wrote.
#pragma once

#include "harness/predict/work.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::predict {

/// Seconds. From the lowest to the highest it holds the truth with 90 % at least, as far as the rows measure
/// what the work is: docs/predictions.md says for each piece how far they do.
struct Price {
  double low = 0;
  double middle = 0;
  double high = 0;
  bool operator==(const Price&) const = default;
};
Price operator*(const Price& price, double times);

/// One row of the list: the seconds of each repetition.
struct PriceRow {
  std::string name;  // without what Google Benchmark adds to it
  std::vector<double> seconds;
};

/// Lowest and highest of five values hold their median with 94 %; of four with 88 %.
constexpr int fewest_repetitions = 5;

/// Where and when the list was taken.
struct PriceOrigin {
  std::string fingerprint;  // of the machine and its software
  int threads = 0;          // of LibTorch
  std::string taken;        // ISO 8601
};

class PriceBook {
 public:
  PriceBook(PriceOrigin origin, std::vector<PriceRow> rows);

  const PriceOrigin& origin() const { return origin_; }
  /// Nothing where the list lacks the rows.
  std::optional<Price> price_of(const Work& work) const;
  /// Of the row with this name.
  std::optional<Price> row(std::string_view name) const;

 private:
  struct Sized {
    double size = 0;
    Price price;
  };
  std::vector<Sized> sized(std::string_view prefix) const;
  std::optional<Price> at_size(const std::vector<Sized>& curve, double size) const;
  std::optional<Price> call(const std::string& sort) const;
  std::optional<Price> node() const;
  std::optional<Price> bytes(double size) const;
  std::optional<Price> product(const Work& work) const;
  std::optional<Price> page_fault() const;
  std::optional<Price> wait() const;

  PriceOrigin origin_;
  std::vector<PriceRow> rows_;
};

/// Reads what `tuneproof prices --benchmark_out=FILE` wrote. Throws BadInput, naming `name`, where it is
/// none, does not say where it was taken, or has rows with fewer than five repetitions.
PriceBook price_book_from(const Json& json, const std::string& name);

}  // namespace harness::predict
