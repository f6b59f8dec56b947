#include "workloads/stgym/data/csv.hpp"

#include "tests/workloads/stgym/data/files.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace {

using workloads::stgym::CsvReader;
using Rows = std::vector<std::vector<std::string>>;

Rows read(std::string_view text) {
  const TemporaryFile file(text);
  CsvReader reader(file.path());
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.cells().begin(), reader.cells().end());
  return rows;
}

std::string refused(std::string_view text) {
  const TemporaryFile file(text);
  return refusal(file.path(), [&] {
    CsvReader reader(file.path());
    while (reader.next()) continue;
  });
}

}  // namespace

TEST_CASE("cells are separated by commas and may be empty") {
  CHECK(read("a,b,c\n1,,\n,,3\n") == Rows{{"a", "b", "c"}, {"1", "", ""}, {"", "", "3"}});
}

TEST_CASE("the last line needs no line break") { CHECK(read("a,b\n1,2") == Rows{{"a", "b"}, {"1", "2"}}); }

TEST_CASE("lines may end with carriage return and line feed") {
  CHECK(read("a,b\r\n1,2\r\n") == Rows{{"a", "b"}, {"1", "2"}});
}

TEST_CASE("a byte order mark is not a part of the first cell") {
  CHECK(read("\xEF\xBB\xBF"
             "a,b\n") == Rows{{"a", "b"}});
}

TEST_CASE("a quoted cell may hold commas, quotes and line breaks") {
  CHECK(read("\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"\"\nx,y,z,w\n") ==
        Rows{{"a,b", "say \"so\"", "two\nlines", ""}, {"x", "y", "z", "w"}});
}

TEST_CASE("blank lines are passed over and counted") {
  const TemporaryFile file("a\n\n\r\nb\n");
  CsvReader reader(file.path());
  REQUIRE(reader.next());
  REQUIRE(reader.next());
  CHECK(reader.cells().front() == "b");
  CHECK(reader.line() == 4);
}

TEST_CASE("a record is named by the line on which it begins") {
  const TemporaryFile file("a\n\"1\n2\n3\"\nb\n");
  CsvReader reader(file.path());
  REQUIRE(reader.next());
  REQUIRE(reader.next());
  CHECK(reader.line() == 2);
  REQUIRE(reader.next());
  CHECK(reader.line() == 5);
}

TEST_CASE("line breaks may lie anywhere between two reads of the file") {
  // Rows of 1,023 to 1,025 bytes make CR LF straddle the reader's chunk of 1 MiB sooner or later.
  std::string text;
  Rows expected;
  for (std::size_t i = 0; i < 3100; ++i) {
    expected.push_back({std::to_string(i), std::string(1015 + i % 7, 'x')});
    text += expected.back()[0] + "," + expected.back()[1] + "\r\n";
  }
  CHECK(read(text) == expected);
}

TEST_CASE("reading starts again after rewind") {
  const TemporaryFile file(
      "\xEF\xBB\xBF"
      "a\nb\n");
  CsvReader reader(file.path());
  while (reader.next()) continue;
  reader.rewind();
  REQUIRE(reader.next());
  CHECK(reader.cells().front() == "a");
  CHECK(reader.line() == 1);
}

TEST_CASE("an unclosed quote is refused with the line on which it opens") {
  CHECK(refused("a,b\n1,\"2\n3,4\n") == ", line 2: column 2 has an unclosed quote");
}

TEST_CASE("a quote inside an unquoted cell is refused") {
  CHECK(refused("a,b\n1,2\"\"\n") == ", line 2: column 2 has a quote inside an unquoted cell");
}

TEST_CASE("text behind a closing quote is refused") {
  CHECK(refused("a,b\n\"1\"x,2\n") == ", line 2: column 1 has text after its closing quote");
}

TEST_CASE("UTF-16 is refused") {
  CHECK(refused(std::string_view("\xFF\xFE"
                                 "a\0",
                                 4)) == ", line 1: the file is UTF-16; it must be UTF-8");
}

TEST_CASE("lines that end with a carriage return alone are refused") {
  for (const auto* text : {"a,b\r1,2\r", "a,b\r1,2\n"})
    CHECK(refused(text) ==
          ", line 1: its lines end with a lone carriage return; they must end with LF or CRLF");
}

TEST_CASE("a record beyond the memory limit is refused") {
  const TemporaryFile file("");
  std::filesystem::resize_file(file.path(), CsvReader::longest + 1);
  CsvReader reader(file.path());
  CHECK(refusal(file.path(), [&] { reader.next(); }) ==
        ", line 1: the record is longer than 64 MiB; is this a CSV file?");
}

TEST_CASE("a single line of 10 MB is read") {
  std::string line = "1";
  for (int i = 1; i < 5'000'000; ++i) line += ",1";
  const auto rows = read(line);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].size() == 5'000'000);
}

TEST_CASE("the message distinguishes a missing file, a directory and a device") {
  CHECK(refusal("/nowhere/cells.csv", [] { CsvReader("/nowhere/cells.csv"); }) ==
        ": cannot be read: No such file or directory");
  CHECK(refusal("/tmp", [] { CsvReader("/tmp"); }) == ": is a folder, not a file");
  CHECK(refusal("/dev/null", [] { CsvReader("/dev/null"); }) == ": is not a regular file");
}

TEST_CASE("a file without permission to read is refused") {
  if (::geteuid() == 0) SKIP("root may read every file");
  const TemporaryFile file("a\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  CHECK(refusal(file.path(), [&] { CsvReader reader(file.path()); }) ==
        ": cannot be read: Permission denied");
}
