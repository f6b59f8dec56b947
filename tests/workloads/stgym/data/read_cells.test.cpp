#include "tests/workloads/stgym/data/files.hpp"

#include "workloads/stgym/data/cell_file.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;

constexpr std::string_view group[] = {"donor", "sample"};
constexpr std::string_view dropped[] = {"note", "Unnamed: 0"};
constexpr Layout by_number{.name = "test",
                           .group_by = group,
                           .x = "x",
                           .y = "y",
                           .label = "type",
                           .label_kind = LabelKind::number,
                           .dropped = dropped,
                           .classes = 3};

Layout with(LabelKind kind) {
  auto layout = by_number;
  layout.label_kind = kind;
  return layout;
}

Layout per_graph() {
  auto layout = with(LabelKind::equals);
  layout.positive = "tumor";
  layout.negative = "non-tumor";
  layout.task = Task::graph_classification;
  layout.classes = 2;
  return layout;
}

const std::string header = "donor,sample,x,y,type,f1,note,f2\n";

Dataset read(const std::string& text, const Layout& layout = by_number) {
  const TemporaryFile file(text);
  return read_cells(file.path(), layout);
}

std::string refused(const std::string& text, const Layout& layout = by_number) {
  const TemporaryFile file(text);
  return refusal(file.path(), [&] { read_cells(file.path(), layout); });
}

/// One row with this text in the place of `x`, and what is said of it.
std::string refused_position(const std::string& x) { return refused(header + "a,1," + x + ",0,0,1,,2\n"); }

}  // namespace

TEST_CASE("rows are put into graphs, in the order in which the file first names each") {
  const auto data = read(header +
                         "b,1,1,2,0,10,,20\n"
                         "a,1,3,4,1,11,,21\n"
                         "b,1,5,6,2,12,,22\n"
                         "b,2,7,8,0,13,,23\n");
  CHECK(data.offsets == std::vector<std::int64_t>{0, 2, 3, 4});
  CHECK(data.x.equal(at::tensor({10.F, 20.F, 12.F, 22.F, 11.F, 21.F, 13.F, 23.F}).reshape({4, 2})));
  CHECK(data.position.equal(at::tensor({1.F, 2.F, 5.F, 6.F, 3.F, 4.F, 7.F, 8.F}).reshape({4, 2})));
  CHECK(data.y.equal(at::tensor({0, 2, 1, 0}, at::kLong)));
}

TEST_CASE("group cells are not run together: a,bc and ab,c are two graphs") {
  CHECK(read(header + "a,bc,1,2,0,1,,2\nab,c,1,2,0,1,,2\n").graphs() == 2);
}

TEST_CASE("a column without a name is dropped where pandas' name for it is") {
  CHECK(read(",donor,sample,x,y,type,f1\n0,a,1,1,2,0,5\n").features() == 1);
}

TEST_CASE("category labels are numbered in sorted order") {
  const auto data = read(header + "a,1,0,0,T cell,1,,2\na,1,0,0,B cell,1,,2\na,1,0,0,T cell,1,,2\n",
                         with(LabelKind::category));
  CHECK(data.y.equal(at::tensor({1, 0, 1}, at::kLong)));
}

TEST_CASE("a graph label is 1 where the text is the positive one") {
  const auto data =
      read(header + "a,1,0,0,tumor,1,,2\nb,1,0,0,non-tumor,1,,2\na,1,1,1,tumor,1,,2\n", per_graph());
  CHECK(data.y.equal(at::tensor({1, 0}, at::kLong)));
}

TEST_CASE("a graph of one cell is read") { CHECK(read(header + "a,1,0,0,0,1,,2\n").nodes(0) == 1); }

TEST_CASE("numbers may have blanks, a plus sign and an exponent, and underflow to 0") {
  const auto data = read(header + "a,1, 1.5 ,+2,1.0,-1e-3,,1e-400\n");
  CHECK(data.position.equal(at::tensor({1.5F, 2.F}).reshape({1, 2})));
  CHECK(data.x.equal(at::tensor({-1e-3F, 0.F}).reshape({1, 2})));
}

TEST_CASE("a byte order mark, CRLF and quoted commas change nothing") {
  const auto plain = read(header + "a,1,1,2,0,3,n,4\n");
  const auto data = read(
      "\xEF\xBB\xBF"
      "donor,\"sample\",x,y,type,f1,note,f2\r\na,1,1,2,0,3,\"n, \"\"q\"\"\",4\r\n");
  CHECK(data.x.equal(plain.x));
}

TEST_CASE("an empty file is refused") { CHECK(refused("") == ": the file is empty"); }

TEST_CASE("a file with blank lines only is refused") { CHECK(refused("\n\r\n") == ": the file is empty"); }

TEST_CASE("a header without a cell below it is refused") {
  CHECK(refused(header + "\n") == ", line 1: the file has a header but no cells");
}

TEST_CASE("a missing column is refused") {
  CHECK(refused("donor,sample,x,type,f1\na,1,2,0,3\n") == ", line 1: missing column \"y\"");
}

TEST_CASE("two columns of one name are refused") {
  CHECK(refused("donor,sample,x,y,type,x\n") == ", line 1: columns 3 and 6 are both called \"x\"");
}

TEST_CASE("a file without features is refused") {
  CHECK(refused("donor,sample,x,y,type,note\n") == ", line 1: no column is left for the features");
}

TEST_CASE("a row with too few cells is refused") {
  CHECK(refused(header + "a,1,0,0,0,1,,2\na,1,0,0,0\n") ==
        ", line 3, column \"f1\": the row ends too early, with 5 cells for 8 columns");
}

TEST_CASE("a row with too many cells is refused") {
  CHECK(refused(header + "a,1,0,0,0,1,,2,3,4\n") ==
        ", line 2: column 9 is one too many: 10 cells for 8 columns");
}

TEST_CASE("a cell that is not a number is refused") {
  CHECK(refused_position("abc") == ", line 2, column \"x\": \"abc\" is not a number");
  CHECK(refused_position("") == ", line 2, column \"x\": \"\" is not a number");
  CHECK(refused_position("1.5x") == ", line 2, column \"x\": \"1.5x\" is not a number");
  CHECK(refused_position("+-1") == ", line 2, column \"x\": \"+-1\" is not a number");
  CHECK(refused_position("1e999x") == ", line 2, column \"x\": \"1e999x\" is not a number");
}

TEST_CASE("a position that is not finite is refused") {
  for (const std::string text : {"nan", "NaN", "inf", "-Infinity", "1e39", "1e999"})
    CHECK(refused_position(text) ==
          ", line 2, column \"x\": \"" + text + "\" is not a finite number in single precision");
}

TEST_CASE("a position so far out that distances overflow is refused") {
  CHECK(refused_position("-1.1e18") ==
        ", line 2, column \"x\": \"-1.1e18\" is beyond 1e18: distances would not be finite");
}

TEST_CASE("an empty group cell is refused, a blank one too") {
  for (const std::string cell : {"", " "})
    CHECK(refused(header + "a," + cell + ",0,0,0,1,,2\n") ==
          ", line 2, column \"sample\": it is empty, so this cell belongs to no graph");
}

TEST_CASE("a feature that is not finite is refused") {
  CHECK(refused(header + "a,1,0,0,0,1,,2\na,1,0,0,0,1,,nan\n") ==
        ", line 3, column \"f2\": \"nan\" is not a finite number in single precision");
}

TEST_CASE("a label number out of range is refused") {
  for (const std::string text : {"3", "-1", "0.5", "1e30", "nan"})
    CHECK(refused(header + "a,1,0,0," + text + ",1,,2\n") ==
          ", line 2, column \"type\": the label \"" + text + "\" is not one of 0 to 2");
}

TEST_CASE("a label that is not a number is refused") {
  CHECK(refused(header + "a,1,0,0,T,1,,2\n") == ", line 2, column \"type\": \"T\" is not a number");
}

TEST_CASE("one category more than there are classes is refused") {
  std::string text = header;
  for (const std::string label : {"d", "c", "b", "a"}) text += "a,1,0,0," + label + ",1,,2\n";
  CHECK(refused(text, with(LabelKind::category)) ==
        ", line 5, column \"type\": \"a\" is label number 4, but there are 3 classes");
}

TEST_CASE("a missing label is refused") {
  for (const auto& layout : {by_number, with(LabelKind::category), per_graph()})
    CHECK(refused(header + "a,1,0,0,,1,,2\n", layout) == ", line 2, column \"type\": the label is missing");
}

TEST_CASE("a misspelt graph label is refused") {
  CHECK(refused(header + "a,1,0,0,Tumor,1,,2\n", per_graph()) ==
        ", line 2, column \"type\": the label \"Tumor\" is neither \"tumor\" nor \"non-tumor\"");
}

TEST_CASE("a graph whose cells disagree on its label is refused") {
  CHECK(refused(header + "a,1,0,0,tumor,1,,2\nb,1,0,0,tumor,1,,2\na,1,0,0,non-tumor,1,,2\n", per_graph()) ==
        ", line 4, column \"type\": \"non-tumor\" differs from this graph's label on line 2");
}

TEST_CASE("an unclosed quote is refused with its line") {
  CHECK(refused(header + "a,1,0,0,0,1,\"note,2\nb,1,0,0,0,1,,2\n") ==
        ", line 2: column 7 has an unclosed quote");
}

std::string ten_megabytes() {
  std::string text;
  text.resize(10'000'000, 'x');
  return text;
}

TEST_CASE("a header of 10 MB is refused in one short sentence") {
  CHECK(refused(ten_megabytes()) == ", line 1: missing column \"donor\"");
}

TEST_CASE("a cell of 10 MB is refused in one short sentence") {
  CHECK(refused_position(ten_megabytes()) ==
        ", line 2, column \"x\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is not a number");
}
