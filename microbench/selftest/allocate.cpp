// Asking for memory: small pieces from the heap, and pages fresh from the system, touched and given back.
#include "microbench/selftest/pairs.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <system_error>

namespace microbench::selftest_allocate {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "op",
     .about = "heap: 5,000 small pieces; pages: 2 MiB, each page touched; unmap: 100 mappings "
              "of which one page is touched",
     .labels = {"heap", "pages", "unmap"}}};
constexpr std::size_t pieces = 5'000;
constexpr std::size_t page = 4096;
constexpr std::size_t pages = 512;
constexpr int mappings = 100;

struct State {
  std::vector<std::unique_ptr<char[]>> kept{pieces};
  float done = -1;
};

void take_pieces(State& state) {
  float bytes = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto size = 16 + 16 * (i % 32);
    state.kept[i] = std::make_unique_for_overwrite<char[]>(size);
    state.kept[i][0] = 'x';
    bytes += static_cast<float>(size);
  }
  for (auto& piece : state.kept) piece.reset();
  state.done = bytes;
}

/// Maps so many pages, writes to the first `touched` of them and gives all back; the sum of what was written.
float take_pages(std::size_t count, std::size_t touched) {
  void* const raw = mmap(nullptr, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  // A huge page now and then would be a different piece of work.
  madvise(raw, count * page, MADV_NOHUGEPAGE);
  auto* const bytes = static_cast<volatile char*>(raw);
  float sum = 0;
  for (std::size_t i = 0; i < touched; ++i) {
    bytes[i * page] = 1;
    sum += static_cast<float>(bytes[i * page]);
  }
  munmap(raw, count * page);
  return sum;
}

Trial prepare(Setup&, const Point& point) {
  const auto s = std::make_shared<State>();
  const auto operation = point["op"];
  return equal_forms(
      [s, operation] {
        if (operation == 0) return take_pieces(*s);
        if (operation == 1) {
          s->done = take_pages(pages, pages);
          return;
        }
        float sum = 0;
        for (int i = 0; i < mappings; ++i) sum += take_pages(4, 1);
        s->done = sum;
      },
      [s] { s->done = -1; }, [s] { return std::vector{s->done}; });
}

extern constexpr EqualPair pair{.id = "selftest/allocate", .axes = axes, .prepare = prepare};

}  // namespace microbench::selftest_allocate
