#include "harness/pages/lesson.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;
using namespace harness::pages;

namespace {

constexpr auto source = R"(// The lesson's first line.
//
// Its second part.

#include "harness/core/step.hpp"

namespace microbench {
namespace {

using namespace harness;

constexpr std::int64_t sizes[] = {1, 2};

// Not used by the forms.
int unused() {
  return 1;
}

/// What a helper needs.
constexpr int base = 3;

/// Used by the forms.
struct State {
  int value = 0;

  int twice() const { return 2 * value; }
};

int helper(const State& state) { return state.value + base; }

template <bool fast>
Trial prepare(Setup&, const Point&) {
  State state;

  return {.naive = [state] { helper(state); }};
}

}  // namespace

constexpr Step one{
    .id = "a/one",
    .prepare = prepare<true>,
};

}  // namespace microbench
)";

}  // namespace

TEST_CASE("the lesson is the comment that opens the file, without its slashes", "[lesson]") {
  CHECK(lesson_of(source) == "The lesson's first line.\n\nIts second part.\n");
  CHECK(lesson_of("#include <x>\n// later\n").empty());
  CHECK(lesson_of("").empty());
}

TEST_CASE("the beginnings of paragraphs decide a lesson's parts", "[lesson]") {
  const auto parts = parts_of(
      "Do it.\n\nQuestion: How\nmuch?\n\nThe hardware.\n\nMore of it.\n\nWhat it costs: memory.\n\n"
      "When it hurts: often.\n\nA row measures.\n\nMore.\n\nAnswer: A\nlot.\n");
  CHECK(parts.title == "Do it.");
  CHECK(parts.question == "How\nmuch?");
  CHECK(parts.hardware == "The hardware.\n\nMore of it.");
  CHECK(parts.when == "What it costs: memory.\n\nWhen it hurts: often.");
  CHECK(parts.measured == "A row measures.\n\nMore.");
  CHECK(parts.answer == "A\nlot.");
}

TEST_CASE("what a lesson does not have is empty", "[lesson]") {
  const auto parts = parts_of("Do it.\n");
  CHECK(parts.title == "Do it.");
  CHECK((parts.question + parts.hardware + parts.when + parts.measured + parts.answer).empty());
  CHECK(parts_of("").title.empty());
}

TEST_CASE("the code is the function that prepares, with what it uses and nothing else", "[lesson]") {
  CHECK(code_of(source, "a/one").text == R"(/// What a helper needs.
constexpr int base = 3;

/// Used by the forms.
struct State {
  int value = 0;

  int twice() const { return 2 * value; }
};

int helper(const State& state) { return state.value + base; }

template <bool fast>
Trial prepare(Setup&, const Point&) {
  State state;

  return {.naive = [state] { helper(state); }};
}
)");
}

TEST_CASE("the code says which lines it covers", "[lesson]") {
  const auto code = code_of(source, "a/one");
  CHECK(code.first == 19);
  CHECK(code.last == 36);
}

TEST_CASE("a part that is left out between two others is marked", "[lesson]") {
  constexpr auto text = R"(constexpr int base = 3;

int unused() { return 1; }

Trial prepare(Setup&, const Point&) { return {.naive = [] { use(base); }}; }
)";
  CHECK(code_of(text, "a/b").text ==
        "constexpr int base = 3;\n\n...\n\nTrial prepare(Setup&, const Point&) { return {.naive = [] { "
        "use(base); }}; "
        "}\n");
}

TEST_CASE("of several steps in a file the one that is asked for is shown", "[lesson]") {
  constexpr auto text = R"(Trial first(Setup&, const Point&) { return {}; }

Trial second(Setup&, const Point&) { return {}; }

constexpr Step one{.id = "a/one", .prepare = first};
constexpr Step two{.id = "a/two", .prepare = second};
)";
  CHECK(code_of(text, "a/one").text == "Trial first(Setup&, const Point&) { return {}; }\n");
  CHECK(code_of(text, "a/two").text == "Trial second(Setup&, const Point&) { return {}; }\n");
}

TEST_CASE("a file without such a function is shown from behind its includes", "[lesson]") {
  CHECK(code_of("// Lesson.\n\n#include <x>\n\nconstexpr Step a = rung(no_item);\n", "a/b").text ==
        "constexpr Step a = rung(no_item);\n");
  CHECK(code_of("", "a/b").text.empty());
}

TEST_CASE("a rung names its switch", "[lesson]") {
  CHECK(switch_of("return rung_trial(setup, point, &stgym::Switches::no_item);") == "no_item");
  CHECK(switch_of("Trial prepare() { return {}; }").empty());
}

TEST_CASE("of another file only the functions that ask for the switch are shown", "[lesson]") {
  constexpr auto text = R"(#include <x>

int first(const Switches& switches) { return switches.no_item ? 1 : 0; }

int second(const Switches& switches) { return switches.no_item_at_all ? 1 : 0; }

/// A member.
int Layer::third() {
  if (!switches_.no_item) return 1;
  return 2;
}

void fourth(Switches& switches) { switches.no_item = true; }
)";
  const auto code = code_behind_switch(text, "no_item");
  CHECK(code.text ==
        "int first(const Switches& switches) { return switches.no_item ? 1 : 0; }\n\n...\n\n"
        "/// A member.\nint Layer::third() {\n  if (!switches_.no_item) return 1;\n  return 2;\n}\n");
  CHECK(code.first == 3);
  CHECK(code.last == 11);
}
