// Decode the data set once into the form that the training wants, instead of in every epoch.
//
// Question: 262144 numbers lie in a text file and in a binary file, both in the page cache. How much longer
// does parsing take than copying?
//
// A file of text is made for people and for exchange. To get a number out of it a parser looks at each
// character, and a number has about ten. The same numbers as the machine holds them are four bytes each, and
// to "decode" them is to copy them, or not even that: a mapped file can be used where it lies. What is true
// of CSV is true of compressed archives, of JPEG and of XML: the result is the same in every epoch, and only
// the first one needs the work. What cannot be taken out is what is random in each epoch (cropping, noise).
//
// When it does not matter: where the decoding hides behind the training (see workers_slow_source); where the
// decoded data are so much larger that reading them takes longer than decoding, which a slow disk or a
// network decides: decoded images often take ten times the bytes.
//
// A row measures one pass: the numbers of a file get into one buffer of floats, by parsing CSV with
// std::from_chars, which knows no locale and is about as quick as parsers get, or by a copy out of a binary
// file. Both files are mapped and lie in the page cache on both sides: no row waits for a disk.
//
// Answer: Hundreds of times: a parser looks at about ten characters of each number one after the other, a
// copy moves many numbers of four bytes with one instruction. No disk takes part, so the factor is the
// parser's price alone. On two cores of an EPYC it was 255, 4.62 ms -> 18.1 us (commit 03cee4c).

#include "microbench/dataload/file_bytes.hpp"
#include "microbench/tip.hpp"

#include <charconv>
#include <limits>

namespace microbench::dataload_pre_decode {

constexpr Axis axes[] = {
    {.name = "values", .about = "numbers in the file, 16 in a line", .values = {1 << 12, 1 << 18}}};
constexpr std::size_t columns = 16;

std::vector<float> make_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (auto& value : values) value = normal(engine);
  return values;
}

/// Each number with as many digits as it takes to get the same bits back.
std::string csv_of(const std::vector<float>& values) {
  std::string text;
  char digits[32];
  for (std::size_t i = 0; i < values.size(); ++i) {
    text.append(digits, std::to_chars(digits, digits + sizeof digits, values[i]).ptr);
    text += (i + 1) % columns == 0 ? '\n' : ',';
  }
  return text;
}

void parse(std::span<const std::byte> csv, std::vector<float>& out) {
  const auto* at = reinterpret_cast<const char*>(csv.data());
  const auto* end = at + csv.size();
  for (auto& value : out) {
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || next == end) throw std::runtime_error("the CSV file ends early");
    at = next + 1;  // behind the comma or the line break
  }
}

struct State {
  explicit State(const std::vector<float>& values)
      : text(std::as_bytes(std::span<const char>(csv_of(values)))),
        binary(std::as_bytes(std::span(values))),
        decoded(values.size()) {}
  TemporaryFile text, binary;
  Pages text_pages = Pages::of(text), binary_pages = Pages::of(binary);
  std::vector<float> decoded;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(make_values(static_cast<std::size_t>(point["values"]), setup.seed));
  return {
      .naive = [s] { parse(s->text_pages.bytes(), s->decoded); },
      .optimized =
          [s] {
            const auto bytes = s->binary_pages.bytes();
            std::memcpy(s->decoded.data(), bytes.data(), bytes.size());
          },
      .clear = [s] { std::ranges::fill(s->decoded, std::numeric_limits<float>::max()); },
      .answer = [s](Form) -> Answer { return s->decoded; },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/pre_decode",
    .claim = "An epoch that reads binary numbers is shorter than one that parses them from text.",
    .claim_ids = "data-pre-decode",
    .sides = {"text", "binary"},
    .source = {.title = "pandas, IO tools (text, CSV, HDF5, ...)",
               .url = "https://pandas.pydata.org/docs/user_guide/io.html",
               .where = "Performance considerations"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::dataload_pre_decode
