// Text, character by character: a file, or our own documentation.
#pragma once

#include "workloads/training/dataset.hpp"

#include <filesystem>
#include <string_view>

namespace workloads::gpt {

constexpr std::int64_t vocabulary = 256;   // every byte is a character
constexpr std::int64_t piece_length = 64;  // on a CPU

/// Pieces of `length` characters; what should come out is the piece one character on. Takes so many pieces at
/// most; validation pieces are the text's last. Throws BadInput where the text has less than one of each.
training::Dataset pieces(std::string text, std::string source, std::int64_t training, std::int64_t validation,
                         std::int64_t length = piece_length);

/// The file's text. Throws BadInput where it cannot be read, is empty or larger than 1 GiB.
std::string read_text(const std::filesystem::path& file);

/// This program's documentation.
std::string_view own_text();

}  // namespace workloads::gpt
