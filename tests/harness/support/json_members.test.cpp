#include "harness/support/json_members.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {
namespace {

enum class Color { red, green };
std::string_view to_string(Color color) { return color == Color::red ? "red" : "green"; }

struct Leaf {
  std::string name;
  int size = 1;
  bool operator==(const Leaf&) const = default;
};
struct Tree {
  Color color = Color::red;
  double height = 0;
  std::optional<int> age = {};
  std::optional<double> width = {};
  std::vector<Leaf> leaves = {};
  int rings = 3;
  std::string note = {};
};

constexpr auto leaf_members = [](auto& each, auto& leaf) {
  each("name", leaf.name);
  each.unless(1, "size", leaf.size, whole(1, 9));
};

constexpr auto tree_members = [](auto& each, auto& tree) {
  each("color", tree.color, word_of(std::array{Color::red, Color::green}, "is not a color"));
  each.within("body", [&](auto& inner) { inner("height", tree.height); });
  each("age", tree.age, whole(0, 999));
  each.if_any("width", tree.width);
  each("leaves", tree.leaves, list_of(by<Leaf>(leaf_members)));
  each.since("rings", tree.rings, whole(0, 999));
  each.if_any("note", tree.note);
  each.for_others("kind", "tree");
};

Tree tree_from(std::string_view text) {
  const auto json = parse_json(text, "t");
  return read_by<Tree>(tree_members, Field(json, "t"));
}

TEST_CASE("one list writes a struct and reads it again", "[json_members]") {
  const Tree tree{.color = Color::green, .height = 2.5, .age = 7, .leaves = {{"a"}, {"b", 4}}};
  const auto text = json_by(tree_members, tree).dump();
  CHECK(text ==
        R"({"color":"green","body":{"height":2.5},"age":7,"leaves":[{"name":"a"},{"name":"b","size":4}],)"
        R"("rings":3,"kind":"tree"})");
  const auto read = tree_from(text);
  CHECK(read.color == Color::green);
  CHECK(read.leaves == tree.leaves);
  CHECK(read.age == 7);
  CHECK(json_by(tree_members, read).dump() == text);
}

TEST_CASE("a member that older files lack is as the struct has it", "[json_members]") {
  const auto tree = tree_from(R"({"color":"red","body":{"height":null},"age":null,"leaves":[]})");
  CHECK(tree.rings == 3);
  CHECK_FALSE(tree.age);
  CHECK_FALSE(tree.width);
  CHECK(json_by(tree_members, tree).dump() ==
        R"({"color":"red","body":{"height":null},"age":null,"leaves":[],"rings":3,"kind":"tree"})");
}

TEST_CASE("what a list's reader refuses names the place", "[json_members]") {
  CHECK_THROWS_WITH(tree_from(R"({"color":"blue"})"), "t.color: 'blue' is not a color");
  CHECK_THROWS_WITH(tree_from(R"({"color":"red","body":{}})"), "t.body: 'height' is missing");
  CHECK_THROWS_WITH(
      tree_from(
          R"({"color":"red","body":{"height":1},"age":1,"leaves":[{"name":"a"},{"name":"b","size":0}]})"),
      "t.leaves[1].size: expected a whole number from 1 to 9");
}

TEST_CASE("a list tells its members' names", "[json_members]") {
  CHECK(names_by<Leaf>(leaf_members) == std::vector<std::string_view>{"name", "size"});
}

}  // namespace
}  // namespace harness
