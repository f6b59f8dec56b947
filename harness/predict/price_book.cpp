#include "harness/predict/price_book.hpp"

#include "harness/core/median.hpp"
#include "harness/support/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness::predict {
namespace {

constexpr double page_bytes = 4096;
constexpr double shared_from = 128 * 1024;  // bytes; LibTorch divides 32768 floats and more among its threads

Price price_from(const std::vector<double>& seconds) {
  const auto [low, high] = std::ranges::minmax(seconds);
  return {low, median(seconds), high};
}

Price between(const Price& low, const Price& middle, const Price& high) {
  return {std::min({low.low, middle.low, high.low}), middle.middle,
          std::max({low.high, middle.high, high.high})};
}

/// What is dearer by, never below 0.
Price difference(const Price& dear, const Price& cheap) {
  const auto positive = [](double value) { return std::max(value, 0.0); };
  return {positive(dear.low - cheap.high), positive(dear.middle - cheap.middle),
          positive(dear.high - cheap.low)};
}

/// On the line between two points of a double logarithmic plot.
double on_line(double share, double from, double to) {
  return from > 0 && to > 0 ? std::exp(std::log(from) + share * (std::log(to) - std::log(from)))
                            : from + share * (to - from);
}

}  // namespace

Price operator*(const Price& price, double times) {
  return {price.low * times, price.middle * times, price.high * times};
}

PriceBook::PriceBook(PriceOrigin origin, std::vector<PriceRow> rows)
    : origin_(std::move(origin)), rows_(std::move(rows)) {}

std::optional<Price> PriceBook::row(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &PriceRow::name);
  if (found == rows_.end() || found->seconds.empty()) return std::nullopt;
  return price_from(found->seconds);
}

/// The rows named `prefix` and a size, by size.
std::vector<PriceBook::Sized> PriceBook::sized(std::string_view prefix) const {
  std::vector<Sized> all;
  for (const auto& one : rows_) {
    if (!one.name.starts_with(prefix) || one.seconds.empty()) continue;
    if (const auto size = parse_size(std::string_view(one.name).substr(prefix.size())))
      all.push_back({static_cast<double>(*size), price_from(one.seconds)});
  }
  std::ranges::sort(all, {}, &Sized::size);
  return all;
}

/// Between two sizes on the line through them; outside at the rate of the nearest one.
std::optional<Price> PriceBook::at_size(const std::vector<Sized>& curve, double size) const {
  if (curve.empty()) return std::nullopt;
  const auto above = std::ranges::lower_bound(curve, size, {}, &Sized::size);
  if (above == curve.begin()) return curve.front().price * (size / curve.front().size);
  if (above == curve.end()) return curve.back().price * (size / curve.back().size);
  const auto below = above - 1;
  const double share =
      (std::log(size) - std::log(below->size)) / (std::log(above->size) - std::log(below->size));
  return Price{on_line(share, below->price.low, above->price.low),
               on_line(share, below->price.middle, above->price.middle),
               on_line(share, below->price.high, above->price.high)};
}

/// One of its sort has a row, as it stands there. No two operators cost the same: any other one lies between
/// the cheapest and the dearest that have a row, and one that calls others costs their call, not their work.
std::optional<Price> PriceBook::call(const std::string& sort) const {
  constexpr std::string_view dispatch = "prices/dispatch/host/";
  if (sort == "caller") {
    const auto empty = row("prices/dispatch/host/empty");
    const auto add = row("prices/dispatch/host/add");
    return empty && add ? std::optional(between(*empty, *empty, *add)) : std::nullopt;
  }
  if (!sort.empty()) return row(std::string(dispatch) + sort);
  std::optional<Price> all;
  std::vector<double> middles;
  for (const auto* one : {"add", "cat", "copy", "empty", "index", "mm", "sum", "view"}) {
    const auto price = row(std::string(dispatch) + one);
    if (!price) return std::nullopt;
    middles.push_back(price->middle);
    all = all ? between(*price, *all, *all) : *price;
  }
  all->middle = median(std::move(middles));
  return all;
}

/// The row holds the operator as well.
std::optional<Price> PriceBook::node() const {
  const auto all = row("prices/dispatch/host/node");
  const auto add = row("prices/dispatch/host/add");
  if (!all || !add) return std::nullopt;
  return difference(*all, *add);
}

/// As memcpy, which reads half of them and writes half: at least as if the caches held them, at most as if
/// they came from memory.
std::optional<Price> PriceBook::bytes(double size) const {
  const auto curve = sized("prices/memcpy/bytes:");
  auto price = at_size(curve, size / 2);
  if (!price) return std::nullopt;
  const auto& largest = curve.back();
  price->high = std::max(price->high, largest.price.high * (size / 2 / largest.size));
  if (size >= shared_from && origin_.threads > 1) price->low /= origin_.threads;
  return price;
}

std::optional<Price> PriceBook::product(const Work& work) const {
  auto curve = sized("prices/product/host/" + work.type + "/n:");
  for (auto& [size, price] : curve) size = 2 * size * size * size;
  return at_size(curve, static_cast<double>(work.size));
}

/// Fresh pages less pages that were there, at the cheapest and the dearest size.
std::optional<Price> PriceBook::page_fault() const {
  std::optional<Price> all;
  for (const auto& fresh : sized("prices/allocate/malloc_touched/bytes:"))
    for (const auto& kept : sized("prices/allocate/kept_touched/bytes:")) {
      if (fresh.size != kept.size) continue;
      const auto one = difference(fresh.price, kept.price) * (page_bytes / fresh.size);
      all = all ? between(one, *all, *all) : one;
    }
  return all;
}

/// There and back: the other side has to be woken too.
std::optional<Price> PriceBook::wait() const {
  const auto condition = row("prices/thread/wake/condition");
  const auto pipe = row("prices/thread/wake/pipe");
  if (!condition || !pipe) return std::nullopt;
  return between(*pipe, *condition, *condition);
}

std::optional<Price> PriceBook::price_of(const Work& work) const {
  const auto size = static_cast<double>(work.size);
  switch (work.piece) {
    case Piece::call:
      return call(work.type);
    case Piece::view:
      return row("prices/dispatch/host/view");
    case Piece::item:
      return row("prices/dispatch/host/item");
    case Piece::node:
      return node();
    case Piece::allocation:
      return row("prices/allocate/malloc/bytes:4KiB");
    case Piece::bytes:
      return bytes(size);
    case Piece::package:
      return std::nullopt;
    case Piece::product:
      return product(work);
    case Piece::page_fault:
      return page_fault();
    case Piece::wait:
      return wait();
    case Piece::launch:
      return row("prices/launch/return");
    case Piece::synchronization:
      return row("prices/stream/synchronize");
    case Piece::exchange:
      return at_size(sized("prices/collective/all_reduce/" + work.type + "/bytes:"), size);
    case Piece::pageable_to_device:
      return at_size(sized("prices/copy/h2d/host:pageable/bytes:"), size);
    case Piece::pinned_to_device:
      return at_size(sized("prices/copy/h2d/host:pinned/bytes:"), size);
    case Piece::device_to_pageable:
      return at_size(sized("prices/copy/d2h/host:pageable/bytes:"), size);
    case Piece::device_to_pinned:
      return at_size(sized("prices/copy/d2h/host:pinned/bytes:"), size);
    case Piece::on_device:
      return at_size(sized("prices/copy/d2d/bytes:"), size);
  }
  return std::nullopt;
}

}  // namespace harness::predict
