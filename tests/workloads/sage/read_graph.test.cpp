#include "workloads/sage/read_graph.hpp"

#include "tests/folder.hpp"
#include "tests/packed.hpp"

#include "harness/core/setup.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace workloads::sage;
using tests::packed;

constexpr auto edges = "0,1\n1,2\n2,0\n0,0\n1,0\n";
constexpr auto features = "0.5,1\n-2,3e2\n0,0\n7,8\n";
constexpr auto labels = "0\n2\n1\n2\n";

/// A folder with four nodes; `file` has `text` instead.
std::string message_of(const std::string& file, const std::string& text) {
  const tests::Folder folder;
  folder.write("edge.csv", edges);
  folder.write("node-feat.csv", features);
  folder.write("node-label.csv", labels);
  folder.write(file, text);
  try {
    read_graph(folder.path());
  } catch (const harness::BadInput& error) {
    const std::string said = error.what();
    CHECK(said.starts_with(folder.at(file)));
    return said.substr(folder.at(file).size());
  }
  return "";
}

/// An array as NumPy writes it.
template <class Number>
std::string npy(const std::string& type, const std::string& shape, const std::vector<Number>& numbers,
                const std::string& order = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  text += header;
  const auto begin = text.size();
  text.resize(begin + numbers.size() * sizeof(Number));
  std::memcpy(text.data() + begin, numbers.data(), numbers.size() * sizeof(Number));
  return text;
}

/// An array without numbers, whose header is of any length.
std::string npy_of_header(const std::string& header) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() % 256);
  text += static_cast<char>(header.size() / 256);
  return text + header;
}

void check_graph(const Graph& graph) {
  CHECK(graph.neighbours.offsets == std::vector<std::int64_t>{0, 2, 4, 6, 6});
  CHECK(graph.neighbours.nodes == std::vector<std::int32_t>{1, 2, 0, 2, 0, 1});
  CHECK(at::equal(graph.labels, at::tensor({0, 2, 1, 2}, at::kLong)));
  CHECK(at::equal(graph.features, at::tensor({0.5, 1., -2., 300., 0., 0., 7., 8.}, at::kFloat).view({4, 2})));
  CHECK(graph.classes == 3);
  CHECK(graph.training == 3);
}

TEST_CASE("a graph is read from CSV, with loops and repeated edges left out", "[read]") {
  const tests::Folder folder;
  folder.write("edge.csv", "0,1\r\n1,2\r\n2,0\r\n0,0\r\n1,0");
  folder.write("node-feat.csv", features);
  folder.write("node-label.csv", labels);
  check_graph(read_graph(folder.path()));
}

TEST_CASE("a graph is read from CSV that gzip has packed, and a damaged file is one sentence", "[read]") {
  const tests::Folder folder;
  for (const auto& [name, text] : {std::pair{"edge", edges}, {"node-feat", features}, {"node-label", labels}})
    folder.write(std::string(name) + ".csv.gz", packed(text));
  check_graph(read_graph(folder.path()));
  CHECK(message_of("edge.csv.gz", packed("0,1\n1,x\n")) == ", line 2: \"x\" is not a whole number");
  CHECK(message_of("edge.csv.gz", packed(edges).substr(0, 20)).starts_with(": "));
}

TEST_CASE("a graph is read from NumPy's arrays, of edges in two columns or in two rows", "[read]") {
  const tests::Folder folder;
  folder.write("node-feat.npy", npy<float>("<f4", "4, 2", {0.5, 1, -2, 300, 0, 0, 7, 8}));
  folder.write("node-label.npy", npy<std::int64_t>("<i8", "4,", {0, 2, 1, 2}));
  folder.write("edge.npy", npy<std::int32_t>("<i4", "5, 2", {0, 1, 1, 2, 2, 0, 0, 0, 1, 0}));
  check_graph(read_graph(folder.path()));
  folder.write("edge.npy", npy<std::int64_t>("<i8", "2, 5", {0, 1, 2, 0, 1, 1, 2, 0, 0, 0}));
  check_graph(read_graph(folder.path()));
}

TEST_CASE("the nodes of a split get the first numbers, with their features, labels and edges", "[read]") {
  const tests::Folder folder;
  folder.write("edge.csv", edges);
  folder.write("node-feat.csv", features);
  folder.write("node-label.csv", labels);
  folder.write("train.csv.gz", packed("3\n1\n"));
  folder.write("valid.npy", npy<std::int64_t>("<i8", "1,", {2}));
  const auto graph = read_graph(folder.path());  // nodes 3, 1, 2, 0
  CHECK(graph.training == 2);
  CHECK(at::equal(graph.labels, at::tensor({2, 2, 1, 0}, at::kLong)));
  CHECK(at::equal(graph.features, at::tensor({7., 8., -2., 300., 0., 0., 0.5, 1.}, at::kFloat).view({4, 2})));
  CHECK(graph.neighbours.offsets == std::vector<std::int64_t>{0, 0, 2, 4, 6});
  CHECK(graph.neighbours.nodes == std::vector<std::int32_t>{2, 3, 1, 3, 1, 2});
}

TEST_CASE("what is wrong with a split is one sentence with its line", "[read]") {
  CHECK(message_of("train.csv", "0\n4\n") == ", line 2: node 4 is not one of 0 to 3");
  CHECK(message_of("train.csv", "0\n1\n0\n") == ", line 3: node 0 is in a list already");
  CHECK(message_of("train.csv", "0,1\n") == ": a list of nodes has one in a row, not 2");
  CHECK(message_of("train.csv", "0\n1\n2\n3\n") == ": no node is left to validate on");
}

TEST_CASE("what is wrong with a CSV file is one sentence with its line", "[read]") {
  CHECK(message_of("edge.csv", "0,1\n1,x\n") == ", line 2: \"x\" is not a whole number");
  CHECK(message_of("edge.csv", "0,1\n1,1.5\n") == ", line 2: \"1.5\" is not a whole number");
  CHECK(message_of("edge.csv", "0,1\n1,2,3\n") == ", line 2: 3 columns, where line 1 has 2");
  CHECK(message_of("edge.csv", "0,1\n\n1,2\n") == ", line 2: the line is empty");
  CHECK(message_of("edge.csv", "0,1\n1,4\n") == ", line 2: node 4 is not one of 0 to 3");
  CHECK(message_of("edge.csv", "0,1\n-1,2\n") == ", line 2: node -1 is not one of 0 to 3");
  CHECK(message_of("edge.csv", "") == ": the file is empty");
  CHECK(message_of("edge.csv", "0\n1\n") == ": edges have two ends, and a row has 1 numbers");
  CHECK(message_of("edge.csv", "0,0\n1,1\n") == ": each edge leads from a node to itself");
  CHECK(message_of("node-feat.csv", "1,2\nnan,1\n0,0\n0,0\n") == ", line 2: \"nan\" is not a number");
  CHECK(message_of("node-label.csv", "0\n1\n-1\n0\n") == ", line 3: the label -1 is not one of 0 to 99999");
  CHECK(message_of("node-label.csv", "0\n1\n2\n").starts_with(": 3 x 1 labels do not fit the 4 nodes of "));
}

TEST_CASE("what is wrong with an array is one sentence", "[read]") {
  CHECK(message_of("edge.npy", "no array") == ": this is not a NumPy array");
  CHECK(message_of("edge.npy", std::string("\x93NUMPY\x01\x00\x76\x00{'de", 14)) ==
        ": its header is cut off");
  CHECK(message_of("edge.npy", npy<double>("<f8", "1, 2", {0, 1})) == ": its numbers are not whole ones");
  CHECK(message_of("edge.npy", npy<char>("|b1", "1, 2", {0, 1})) ==
        ": numbers of type \"|b1\" are none of <i4, <i8, <f2, <f4, <f8");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "3, 2", {0, 1})) ==
        ": the file ends before the 3 x 2 numbers that its header promises");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "1, 2", {0, 1}, "True")) ==
        ": its columns lie one after the other; save it with numpy.ascontiguousarray");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "999999999999, 999999999999", {0, 1})) ==
        ": the file ends before the 999999999999 x 999999999999 numbers that its header promises");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "10000000000000, 2", {0, 1})) ==
        ": a side of \"10000000000000\" is too long");
  CHECK(message_of("edge.npy", npy_of_header("'descr': '<i8', 'fortran_order': False, 'shape': (" +
                                             std::string(3000, '1') + ")")) ==
        ": a side of \"" + std::string(40, '1') + "...\" is too long");
  CHECK(message_of("edge.npy", npy_of_header("'descr': '" + std::string(3000, 'x') + "'")) ==
        ": numbers of type \"" + std::string(40, 'x') + "...\" are none of <i4, <i8, <f2, <f4, <f8");
  CHECK(message_of("edge.npy", std::string("\x93NUMPY\x01\x00\xff\xff", 10) + std::string(65535, '\'')) ==
        ": its header is damaged");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "1, 1, 2", {0, 1})) ==
        ": the array has 3 dimensions, not one or two");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "0, 2", {})) == ": the array is empty");
  CHECK(message_of("edge.npy", npy<std::int64_t>("<i8", "2, 2", {0, 1, 9, 0})) ==
        ", entry 0: node 9 is not one of 0 to 3");
  CHECK(message_of("node-feat.npy", npy<float>("<f4", "4, 1", {0, 1, HUGE_VALF, 0})) ==
        ", entry 2: a feature is not finite");
}

TEST_CASE("a file that is missing is named", "[read]") {
  const tests::Folder folder;
  folder.write("node-feat.csv", features);
  try {
    read_graph(folder.path());
    FAIL("nothing was thrown");
  } catch (const harness::BadInput& error) {
    CHECK(std::string(error.what()).find("node-label.csv") != std::string::npos);
  }
}

}  // namespace
