#include "harness/tensorboard/canvas.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <limits>
#include <png.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace harness::tensorboard;

constexpr Colour red{255, 0, 0}, white{255, 255, 255};

TEST_CASE("a rectangle is cut where the picture ends", "[tensorboard]") {
  Canvas canvas(4, 3);
  canvas.fill({-1, 1, 3, 9}, red);
  CHECK(canvas.at(0, 0) == white);
  CHECK(canvas.at(1, 1) == red);
  CHECK(canvas.at(1, 2) == red);
  CHECK(canvas.at(2, 1) == white);
}

TEST_CASE("the letter l is a stroke with two feet", "[tensorboard]") {
  Canvas canvas(6, 8);
  canvas.write(0, 0, "l", red, 1);
  std::string drawn;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 6; ++x) drawn += canvas.at(x, y) == red ? '#' : '.';
  CHECK(drawn ==
        ".##..."
        "..#..."
        "..#..."
        "..#..."
        "..#..."
        "..#..."
        ".###.."
        "......");
}

TEST_CASE("a sign without a letter's points is a frame, not nothing", "[tensorboard]") {
  Canvas canvas(6, 8);
  canvas.write(0, 0, "\xC3", red, 1);
  CHECK(canvas.at(0, 0) == red);
  CHECK(canvas.at(4, 6) == red);
  CHECK(canvas.at(2, 3) == white);
}

TEST_CASE("libpng reads the picture back, pixel by pixel", "[tensorboard]") {
  Canvas canvas(3, 2);
  canvas.fill({1, 0, 1, 1}, red);
  const auto made = canvas.image();
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, made.png.data(), made.png.size()) != 0);
  image.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);
  CHECK((image.width == 3 && image.height == 2));
  CHECK(pixels == std::vector<unsigned char>{255, 255, 255, 255, 0, 0, 255, 255, 255,  //
                                             255, 255, 255, 255, 255, 255, 255, 255, 255});
}

TEST_CASE("a picture without pixels, or with too many, is refused", "[tensorboard]") {
  CHECK_THROWS_AS(Canvas(0, 5), std::invalid_argument);
  CHECK_THROWS_AS(Canvas(5, std::numeric_limits<int>::max()), std::invalid_argument);
}

}  // namespace
