#include "tests/folder.hpp"

#include "harness/core/setup.hpp"

#include "workloads/unet/unet_data.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstring>
#include <filesystem>
#include <png.h>
#include <string>
#include <vector>

namespace {

using namespace workloads;
using Catch::Matchers::StartsWith;
using tests::Folder;
using unet::read_image;

at::Tensor pgm(const Folder& folder, const std::string& bytes) {
  folder.write("a.pgm", bytes);
  return read_image(folder.at("a.pgm"));
}

/// A PNG of one colour.
std::string png(unsigned width, unsigned height, std::vector<unsigned char> colour) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> pixels;
  for (unsigned i = 0; i < width * height; ++i) pixels.insert(pixels.end(), colour.begin(), colour.end());
  png_alloc_size_t size = 0;
  REQUIRE(png_image_write_get_memory_size(image, size, 0, pixels.data(), 0, nullptr) != 0);
  std::string bytes(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr) != 0);
  return bytes;
}

TEST_CASE("a PGM is read row by row, remarks and all", "[images]") {
  const Folder folder;
  const auto image = pgm(folder, std::string("P5\n# a remark\n3 2\n# another\n255\n") + "abcdef");
  CHECK(image.sizes().vec() == std::vector<std::int64_t>{2, 3});
  CHECK(image[0][2].item<int>() == 'c');
  CHECK(image[1][0].item<int>() == 'd');
}

TEST_CASE("a PGM whose white is darker is made as bright", "[images]") {
  const Folder folder;
  CHECK(pgm(folder, std::string("P5 1 1 51\n\x33"))[0][0].item<int>() == 255);
  CHECK(pgm(folder, std::string("P5 1 1 100\n\x01"))[0][0].item<int>() == 3);  // of 2.55
}

TEST_CASE("a PNG in colour is read as grey", "[images]") {
  const Folder folder;
  folder.write("a.PNG", png(5, 4, {200, 200, 200}));
  const auto image = read_image(folder.at("a.PNG"));
  CHECK(image.sizes().vec() == std::vector<std::int64_t>{4, 5});
  CHECK(image.eq(200).all().item<bool>());
}

TEST_CASE("an image that is none, cut or too large is refused by name", "[images]") {
  const Folder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes, const std::string& why) {
    folder.write(name, bytes);
    CHECK_THROWS_WITH(read_image(folder.at(name)), folder.at(name) + ": " + why);
  };
  refused("a.pgm", "", "the file is empty");
  refused("a.pgm", "P2 1 1 255 7", "the file is not a binary PGM (P5)");
  refused("a.pgm", "P5 4 4 255\nabc", "the file ends before its 4 x 4 pixels do");
  refused("a.pgm", "P5 4 -4 255\nabc", "the image has no pixels");
  refused("a.pgm", "P5 2 1 100\n2e", "a pixel is 101, and the head says that 100 is the most");
  refused("a.pgm", "P5 4 4 65535\nabc", "a PGM's values must go from 0 to at most 255");
  refused("a.pgm", "P5 1000000 1000000 255\nabc",
          "the image has 1000000 x 1000000 pixels; 64 million are the most");
  CHECK_THROWS_WITH(read_image(folder.at("none.pgm")),
                    folder.at("none.pgm") + ": cannot be read: No such file or directory");
}

TEST_CASE("a PNG that is none, cut, missing or a folder is refused by name", "[images]") {
  const Folder folder;
  const auto refused = [&](const std::string& name, const std::string& why) {
    CHECK_THROWS_WITH(read_image(folder.at(name)), StartsWith(folder.at(name) + ": " + why));
  };
  folder.write("a.png", "no png at all");
  refused("a.png", "the file is not a whole PNG; libpng says: ");
  folder.write("b.png", png(64, 64, {9, 90, 200}).substr(0, 80));
  refused("b.png", "the file is not a whole PNG; libpng says: ");
  refused("none.png", "cannot be read: No such file or directory");
  std::filesystem::create_directory(folder.at("c.png"));
  refused("c.png", "is a folder, not a file");
}

TEST_CASE("a folder's images are taken in the order of their names, all else is left alone", "[images]") {
  const Folder folder;
  folder.write("2.pgm", "P5 1 1 255\n" + std::string(1, '\x00'));
  folder.write("1.png", png(40, 64, {255, 255, 255}));
  folder.write("notes.txt", "no image");
  const auto data = unet::noisy_images(folder.path(), 10, 10, 1);
  CHECK(data.training == 1);
  CHECK(data.validation == 1);
  const auto white = data.get(0), black = data.get(1);
  CHECK(white.input.sizes().vec() == std::vector<std::int64_t>{1, 32, 32});
  CHECK(at::allclose(white.input - white.target, at::ones({1, 32, 32}), 0, 1e-5));
  CHECK(at::allclose(black.input - black.target, -at::ones({1, 32, 32}), 0, 1e-5));
}

TEST_CASE("a folder with fewer than two images, or none that can be read, is refused by name", "[images]") {
  const Folder folder;
  folder.write("1.png", png(4, 4, {1, 1, 1}));
  CHECK_THROWS_WITH(
      unet::noisy_images(folder.path(), 10, 10, 1),
      folder.path().string() + ": 1 PNG or PGM images are too few; training and validation take one each");
  CHECK_THROWS_AS(unet::noisy_images(folder.path() / "none", 10, 10, 1), harness::BadInput);
}

}  // namespace
