#include "workloads/gpt/gpt_data.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace workloads::gpt {
namespace {

constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 30;

/// The characters from `begin` as numbers.
at::Tensor encoded(std::string_view text, std::int64_t begin, std::int64_t length) {
  auto tokens = at::empty({length}, at::kLong);
  auto* token = tokens.mutable_data_ptr<std::int64_t>();
  for (const char c : text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)))
    *token++ = static_cast<unsigned char>(c);
  return tokens;
}

}  // namespace

training::Dataset pieces(std::string text, std::string source, std::int64_t training, std::int64_t validation,
                         std::int64_t length) {
  const auto count = (static_cast<std::int64_t>(text.size()) - 1) / length;
  if (count < 2)
    throw harness::BadInput(
        fmt::format("{}: {} characters are too few; training and validation take a piece of {} each", source,
                    text.size(), length + 1));
  const auto validating = std::min(validation, count / 2);
  const auto learned = std::min(training, count - validating);
  const auto shared = std::make_shared<const std::string>(std::move(text));
  return {.source = std::move(source),
          .training = learned,
          .validation = validating,
          .what = fmt::format("pieces of {} characters", length),
          .get = [=](std::int64_t i) {
            const auto begin = length * (i < learned ? i : count - validating + i - learned);
            return training::Sample{encoded(*shared, begin, length), encoded(*shared, begin + 1, length)};
          }};
}

std::string read_text(const std::filesystem::path& file) {
  auto text = harness::read_text(file, most_text_bytes);
  if (text.empty()) throw harness::BadInput(fmt::format("{}: the file is empty", file.string()));
  return text;
}

}  // namespace workloads::gpt
