// A short list of constants that lies where it is written.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <stdexcept>

namespace harness::inline core {

/// A few constants, held in place: an axis writes them where they belong.
template <class T>
class Few {
 public:
  static constexpr std::size_t most = 24;
  constexpr Few() = default;
  constexpr Few(std::initializer_list<T> from) : Few(std::span<const T>(from.begin(), from.size())) {}
  /// From an array or a span. Throws std::out_of_range for more than `most`; in a constant that is a
  /// compiler's error.
  template <std::ranges::contiguous_range R>
    requires std::same_as<std::ranges::range_value_t<R>, T>
  constexpr Few(const R& from) : size_(std::size(from)) {
    if (size_ > most) throw std::out_of_range("an axis has too many values");
    std::ranges::copy(from, values_.begin());
  }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::array<T, most> values_{};
  std::size_t size_ = 0;
};

}  // namespace harness::inline core
