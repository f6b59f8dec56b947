// memcpy between two buffers, from what fits the first cache to what fits none.
#include "microbench/selftest/pairs.hpp"

#include <cstring>

namespace microbench::selftest_copy {

using namespace harness;

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "copied at once",
                          .values = {16 << 10, 256 << 10, 4 << 20, 64 << 20},
                          .unit = Unit::bytes}};
constexpr std::size_t bytes_per_run = std::size_t{16} << 20;  // small copies are repeated

struct State {
  explicit State(std::size_t bytes) : from(bytes, std::byte{7}), to(bytes) {}
  std::vector<std::byte> from, to;
};

Trial prepare(Setup&, const Point& point) {
  const auto bytes = static_cast<std::size_t>(point["bytes"]);
  const auto s = std::make_shared<State>(bytes);
  const auto repeats = std::max<std::size_t>(1, bytes_per_run / bytes);
  auto trial = equal_forms(
      [s, repeats] {
        for (std::size_t i = 0; i < repeats; ++i) {
          std::memcpy(s->to.data(), s->from.data(), s->to.size());
          s->from[i % s->from.size()] = s->to.back();  // each copy needs the one before it
        }
      },
      [s] { std::memset(s->to.data(), 0, s->to.size()); }, [s] { return s->to; });
  trial.bytes_moved = repeats * bytes;
  return trial;
}

extern constexpr EqualPair pair{.id = "selftest/copy", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_copy
