// Bytes through the system: written to a file in memory, and read back from it.
#include "harness/support/fd.hpp"

#include "microbench/selftest/pairs.hpp"

#include <cerrno>
#include <system_error>

namespace microbench::selftest_files {

using namespace harness;

constexpr Axis axes[] = {{.name = "op",
                          .about = "1 MiB in pieces of 16 KiB, to or from a file in memory",
                          .labels = {"write", "read"}}};
constexpr std::size_t piece = std::size_t{16} << 10;
constexpr std::size_t pieces = 64;

struct State {
  Fd file = nameless_file("tuneproof-selftest");
  std::vector<char> buffer = std::vector<char>(piece, 'x');
  float bytes = -1;
};

void move_pieces(State& state, bool writes) {
  float bytes = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto at = static_cast<off_t>(i * piece);
    const auto n = writes ? pwrite(state.file.get(), state.buffer.data(), piece, at)
                          : pread(state.file.get(), state.buffer.data(), piece, at);
    if (n != static_cast<ssize_t>(piece))
      throw std::system_error(errno, std::generic_category(), "a file in memory");
    bytes += static_cast<float>(n);
  }
  state.bytes = bytes;
}

Trial prepare(Setup&, const Point& point) {
  const auto s = std::make_shared<State>();
  move_pieces(*s, true);
  const bool writes = point["op"] == 0;
  auto trial = equal_forms([s, writes] { move_pieces(*s, writes); }, [s] { s->bytes = -1; },
                           [s] { return std::vector{s->bytes}; });
  trial.bytes_moved = pieces * piece;
  return trial;
}

extern constexpr EqualPair pair{.id = "selftest/files", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_files
