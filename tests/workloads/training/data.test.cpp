#include "tests/folder.hpp"

#include "harness/core/setup.hpp"

#include "workloads/gpt/gpt_data.hpp"
#include "workloads/resnet50/resnet50_data.hpp"
#include "workloads/training/dataset.hpp"
#include "workloads/unet/unet_data.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace workloads;
using harness::BadInput;
using tests::Folder;

/// One image of CIFAR-10's layout, every byte of which is `value`.
std::string record(char label, char value) {
  std::string bytes(3073, value);
  bytes[0] = label;
  return bytes;
}

void write_cifar10(const Folder& folder) {
  for (char i = 1; i <= 5; ++i)
    folder.write("data_batch_" + std::to_string(i) + ".bin",
                 record(i, static_cast<char>(0)) + record(0, '\x7f'));
  folder.write("test_batch.bin", record(9, static_cast<char>(255)));
}

TEST_CASE("CIFAR-10's files are read in their order, the test file to validate", "[data]") {
  const Folder folder;
  write_cifar10(folder);
  const auto data = resnet50::read_cifar10(folder.path(), 100, 100);
  CHECK(data.training == 10);
  CHECK(data.validation == 1);
  CHECK(data.get(2).target.item<int>() == 2);
  CHECK(data.get(10).target.item<int>() == 9);
  const auto image = data.get(10).input;
  CHECK(image.sizes().vec() == std::vector<std::int64_t>{3, 64, 64});
  CHECK(image.min().item<float>() == 1);
  CHECK(data.get(0).input.max().item<float>() == -1);
}

/// Ten samples to learn from and four to validate, each of which is its number.
training::Dataset numbers() {
  return {.source = "numbers", .training = 10, .validation = 4, .get = [](std::int64_t i) {
            return training::Sample{at::full({1}, i), at::full({1}, i)};
          }};
}

TEST_CASE("a part of a dataset has the first samples of each kind", "[data]") {
  const auto part = training::part_of(numbers(), 2, 1);
  CHECK(part.training == 5);
  CHECK(part.validation == 2);
  CHECK(part.get(4).input.item<int>() == 4);
  CHECK(part.get(5).input.item<int>() == 10);
  CHECK(part.get(6).target.item<int>() == 11);
}

TEST_CASE("a part of a dataset fills a batch wherever the whole does", "[data]") {
  CHECK(training::part_of(numbers(), 10, 4).training == 4);
  CHECK(training::part_of(numbers(), 10, 12).training == 10);
}

TEST_CASE("of CIFAR-10 no more images are taken than asked for", "[data]") {
  const Folder folder;
  write_cifar10(folder);
  CHECK(resnet50::read_cifar10(folder.path(), 3, 1).training == 3);
}

TEST_CASE("a CIFAR-10 file that is missing, empty, cut or mislabelled is refused by name", "[data]") {
  const Folder folder;
  write_cifar10(folder);
  const auto refused = [&](const std::string& sentence) {
    CHECK_THROWS_WITH(resnet50::read_cifar10(folder.path(), 100, 100),
                      folder.at("data_batch_4.bin") + sentence);
  };
  folder.write("data_batch_4.bin", "");
  refused(": the file is empty");
  folder.write("data_batch_4.bin", record(1, 'x') + "cut");
  refused(": 3076 bytes are not a whole number of CIFAR-10's records of 3073 bytes");
  folder.write("data_batch_4.bin", record(1, 'x') + record(10, 'x'));
  refused(": record 2: the label 10 is not one of 0 to 9");
  std::filesystem::remove(folder.path() / "data_batch_4.bin");
  refused(": cannot be read: No such file or directory");
  std::filesystem::create_directory(folder.at("data_batch_4.bin"));
  refused(": is a folder, not a file");
}

TEST_CASE("drawn images are the same for the same seed and differ between seeds", "[data]") {
  const auto image = [](std::uint64_t seed) { return resnet50::drawn_images(2, 1, seed).get(1).input; };
  CHECK(at::equal(image(1), image(1)));
  CHECK_FALSE(at::equal(image(1), image(2)));
}

TEST_CASE("a piece of text should be followed by the piece one character on", "[data]") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += static_cast<char>('a' + i % 26);
  const auto data = gpt::pieces(text, "text", 4, 2);
  CHECK(data.training == 4);
  CHECK(data.validation == 2);
  const auto piece = data.get(1);
  CHECK(piece.input[0].item<int>() == 'a' + 64 % 26);
  CHECK(at::equal(piece.input.slice(0, 1), piece.target.slice(0, 0, 63)));
}

TEST_CASE("no piece of text is both learned from and validated on", "[data]") {
  const std::string text(64 * 3, 'a');
  const auto data = gpt::pieces(text + std::string(64 * 2 + 1, 'b'), "text", 100, 2);
  CHECK(data.training == 3);
  CHECK(data.get(2).input[0].item<int>() == 'a');
  CHECK(data.get(3).input[0].item<int>() == 'b');
}

TEST_CASE("text that is missing, empty or too short is refused by name", "[data]") {
  const Folder folder;
  folder.write("empty.txt", "");
  CHECK_THROWS_WITH(gpt::read_text(folder.at("empty.txt")), folder.at("empty.txt") + ": the file is empty");
  CHECK_THROWS_WITH(gpt::read_text(folder.at("none.txt")),
                    folder.at("none.txt") + ": cannot be read: No such file or directory");
  CHECK_THROWS_WITH(gpt::read_text(folder.path()), folder.path().string() + ": is a folder, not a file");
  CHECK_THROWS_AS(gpt::pieces("short", "a.txt", 4, 2), BadInput);
}

TEST_CASE("the documentation is text enough for the GPT", "[data]") {
  CHECK(gpt::own_text().size() > 150'000);
}

TEST_CASE("a noisy image less its noise is the same shapes each time", "[data]") {
  const auto data = unet::noisy_shapes(2, 1, 1);
  const auto clean = data.get(0).input - data.get(0).target;
  CHECK(at::allclose(clean, clean.round(), 0, 1e-5));
  CHECK(at::equal(data.get(0).input, data.get(0).input));
  CHECK_FALSE(at::equal(data.get(0).input, data.get(1).input));
}

}  // namespace
