#include "harness/tensorboard/canvas.hpp"

#include "harness/tensorboard/font.hpp"

#include <algorithm>
#include <cstring>
#include <png.h>
#include <stdexcept>

namespace harness::tensorboard {
namespace {

constexpr int most_pixels = 16384;  // in a direction
constexpr int advance = glyph_width + 1;

std::size_t pixels_in(int width, int height) {
  if (width < 1 || height < 1 || width > most_pixels || height > most_pixels)
    throw std::invalid_argument("a picture has from 1 to 16384 pixels in each direction");
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

/// libpng's image, freed with its owner.
struct Png {
  Png(int width, int height) {
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
  }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image); }
  png_image image;
};

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(width), height_(height), pixels_(pixels_in(width, height), Colour{255, 255, 255}) {}

void Canvas::fill(const Rectangle& place, Colour colour) {
  const auto left = std::max(0, place.x), right = std::min(width_, place.x + place.width);
  const auto top = std::max(0, place.y), bottom = std::min(height_, place.y + place.height);
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) pixels_[static_cast<std::size_t>(y * width_ + x)] = colour;
}

void Canvas::write(int x, int y, std::string_view text, Colour colour, int scale) {
  for (const char letter : text) {
    const auto glyph = glyph_of(letter);
    for (int row = 0; row < glyph_height; ++row)
      for (int column = 0; column < glyph_width; ++column)
        if ((glyph[static_cast<std::size_t>(row)] >> (glyph_width - 1 - column) & 1) != 0)
          fill({x + column * scale, y + row * scale, scale, scale}, colour);
    x += advance * scale;
  }
}

int Canvas::text_width(std::string_view text, int scale) {
  return static_cast<int>(text.size()) * advance * scale;
}

Colour Canvas::at(int x, int y) const { return pixels_.at(static_cast<std::size_t>(y * width_ + x)); }

Image Canvas::image() const {
  static_assert(sizeof(Colour) == 3);
  Png png(width_, height_);
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&png.image, nullptr, &size, 0, pixels_.data(), 0, nullptr) == 0)
    throw std::runtime_error(png.image.message);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png.image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr) == 0)
    throw std::runtime_error(png.image.message);
  bytes.resize(size);
  return {width_, height_, std::move(bytes)};
}

}  // namespace harness::tensorboard
