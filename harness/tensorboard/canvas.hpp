// A picture of rectangles and words, as a PNG file.
#pragma once

#include "harness/tensorboard/event_records.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::tensorboard {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

/// In pixels from the upper left corner.
struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

class Canvas {
 public:
  /// White. Throws std::invalid_argument for less than a pixel, or more than 16384 in a direction.
  Canvas(int width, int height);

  /// What of it lies outside is left out.
  void fill(const Rectangle& place, Colour colour);
  /// One line of text; `x` and `y` are its upper left corner, a letter's point has `scale` pixels.
  void write(int x, int y, std::string_view text, Colour colour, int scale = 2);
  static int text_width(std::string_view text, int scale = 2);

  Colour at(int x, int y) const;
  /// Throws std::runtime_error where libpng cannot.
  Image image() const;

 private:
  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace harness::tensorboard
