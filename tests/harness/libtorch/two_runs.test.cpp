// Runs that make packages in one folder at the same time, and runs that end before theirs is finished.
#include "tests/harness/libtorch/workshop.hpp"

#include "harness/support/fd.hpp"
#include "harness/support/read_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using tests::small_order;
using tests::Workshop;

constexpr int report_fd = 8;  // a shell takes numbers of one digit
constexpr int gate_fd = 9;

/// Another run: a process that makes the package of an order. Its Python can write to its report, too, and
/// finds the gate's reading end as descriptor 9.
class Run {
 public:
  Run(const PackageOrder& order, const Workshop& workshop, Pipe& gate) : pid_(fork()) {
    if (pid_ == 0) {
      std::signal(SIGINT, SIG_DFL);  // Catch2 has put its own
      gate.write_end.close();
      dup2(gate.read_end.get(), gate_fd);
      dup2(report_.write_end.get(), STDERR_FILENO);
      dup2(report_.write_end.get(), report_fd);
      _exit(makes(order, workshop) ? 0 : 1);
    }
    report_.write_end.close();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    if (pid_ > 0) end(SIGKILL);
  }

  /// The next line of its report; empty once all that could write one have ended.
  std::string line() const {
    std::string text;
    for (char c = 0; read(report_.read_end.get(), &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }
  /// Of the process itself; what it has started lives on.
  int end(int signal) {
    kill(pid_, signal);
    return status();
  }
  int status() {
    int status = -1;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return status;
  }

 private:
  static bool makes(const PackageOrder& order, const Workshop& workshop) {
    try {
      make_package(order, workshop.torch());
      return true;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return false;
    }
  }

  Pipe report_;
  pid_t pid_;
};

/// A Python that tells when it has written half a package, and writes the rest once the gate is opened.
struct GatedWorkshop : Workshop {
  GatedWorkshop() {
    python("echo called >> " + calls().string() +
           "; echo half > $3; echo half >&8; cat <&9; echo whole >> $3; echo '{\"seconds\": 2.5}'\n");
  }
};

PackageOrder other_order() {
  auto order = small_order();
  order.source += "\n";
  return order;
}

/// Waits until the run's Python has written half a package.
void check_half(const Run& run) {
  CHECK_THAT(run.line(), ContainsSubstring("torch.compile works for this machine"));
  REQUIRE(run.line() == "half");
}

void check_waits(const Run& run) { CHECK_THAT(run.line(), ContainsSubstring("waits")); }

void check_both_end(Run& first, Run& second, Pipe& gate) {
  gate.write_end.close();
  CHECK(first.status() == 0);
  CHECK(second.status() == 0);
}

/// What lies in the folder of packages, in order. Found by a program: LibTorch exports parts of an older
/// standard library, with other iterators.
std::string files_kept(const Workshop& workshop) {
  const auto folder = (workshop.folder.path() / "cache/tuneproof/compiled").string();
  return run_program({"sh", {"-c", "cd " + folder + " && find . -type f | sort"}, {}}, "").output;
}

TEST_CASE("a run waits for another one that makes its package, and takes that", "[compiled]") {
  const GatedWorkshop workshop;
  Pipe gate;
  Run first(small_order(), workshop, gate);
  check_half(first);
  Run second(small_order(), workshop, gate);
  check_waits(second);
  check_both_end(first, second, gate);
  CHECK(read_text(make_package(small_order(), workshop.torch()).package, 64) == "half\nwhole\n");
  CHECK(workshop.times_called() == 1);
}

TEST_CASE("a run that makes another package leaves what the first one writes alone", "[compiled]") {
  const GatedWorkshop workshop;
  Pipe gate;
  Run first(small_order(), workshop, gate);
  check_half(first);
  Run second(other_order(), workshop, gate);
  check_waits(second);
  check_both_end(first, second, gate);
  for (const auto& order : {small_order(), other_order()})
    CHECK(read_text(make_package(order, workshop.torch()).package, 64) == "half\nwhole\n");
  CHECK(workshop.times_called() == 2);
}

TEST_CASE("a package that is kept is taken while another one is made", "[compiled]") {
  const GatedWorkshop workshop;
  Pipe gate;
  gate.write_end.close();
  CHECK(Run(small_order(), workshop, gate).status() == 0);
  Pipe next_gate;
  Run other(other_order(), workshop, next_gate);
  check_half(other);
  CHECK(make_package(small_order(), workshop.torch()).seconds == 2.5);
  CHECK(workshop.times_called() == 2);
  next_gate.write_end.close();
  CHECK(other.status() == 0);
}

TEST_CASE("Ctrl-C ends a run that waits", "[compiled]") {
  const GatedWorkshop workshop;
  Pipe gate;
  Run first(small_order(), workshop, gate);
  check_half(first);
  Run second(small_order(), workshop, gate);
  check_waits(second);
  const auto status = second.end(SIGINT);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
  gate.write_end.close();
  CHECK(first.status() == 0);
}

TEST_CASE("after a run that was killed the next one waits for nothing and removes what it left",
          "[compiled]") {
  const GatedWorkshop workshop;
  Pipe gate;
  Run killed(small_order(), workshop, gate);
  check_half(killed);
  killed.end(SIGKILL);
  CHECK_THAT(files_kept(workshop), ContainsSubstring("inductor/"));
  workshop.python("echo code > $3; echo '{\"seconds\": 1}'\n");
  const auto package = make_package(small_order(), workshop.torch()).package;
  const auto stem = "./" + package.stem().string();
  const auto finished = stem + ".json\n" + stem + ".pt2\n" + stem + ".pt2.txt\n./lock\n";
  CHECK(files_kept(workshop) == finished);
  gate.write_end.close();
  CHECK(killed.line().empty());  // its Python, which lived on, has ended
  CHECK(read_text(package, 64) == "code\n");
  CHECK(files_kept(workshop) == finished);
}

TEST_CASE("where the disk is full nothing unfinished is kept", "[compiled]") {
  const Workshop workshop;
  workshop.python(
      "mkdir -p $TORCHINDUCTOR_CACHE_DIR/ab; echo half > $TORCHINDUCTOR_CACHE_DIR/ab/x.cpp; echo half > $3;"
      "echo '{\"reason\": \"torch.compile failed: OSError: No space left on device\"}'\n");
  CHECK_THROWS_AS(make_package(small_order(), workshop.torch()), Skip);
  CHECK(files_kept(workshop) == "./lock\n");
}

}  // namespace
