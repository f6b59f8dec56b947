// A source file as a list of declarations. No parser: clang-format fixes the form of our files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness::teach {

/// A declaration at the left margin with the comment that stands on it: lines [first, last], from 0.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;
  bool taken = false;  // into an excerpt
};

class SourceBlocks {
 public:
  explicit SourceBlocks(std::string_view source);

  std::vector<Block>& blocks() { return blocks_; }
  /// The text of lines [first, last].
  std::string text(std::size_t first, std::size_t last) const;
  std::string text(const Block& block) const { return text(block.first, block.last); }
  /// The name that a block declares; empty where none is recognised.
  std::string name(const Block& block) const;
  /// The first line behind the includes that is not empty, from 0; `lines()` where there is none.
  std::size_t behind_includes() const;
  std::size_t lines() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
  std::vector<Block> blocks_;
};

}  // namespace harness::teach
