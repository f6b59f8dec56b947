// Let neighboring threads read neighboring values, not every k-th one.
//
// Question: Every second, 8th or 32nd float is read: what share of the useful rate is left each time, on the
// device and on your CPU?
//
// Memory is not read by the value. A GPU fetches sectors of 32 bytes, and the 32 threads of a warp are served
// together. When they read 32 neighbors, four sectors carry nothing but what was wanted. When they read every
// second value, half of what is carried is wasted. With a stride of 8 floats or more, each thread needs a
// sector of its own and uses an eighth of it. A start that is not a multiple of the sector costs one sector
// more per warp, which the cache often holds already. A processor does the same with lines of 64 bytes, and
// its rate falls further: at 16 floats or more a line serves one value, and many processors fetch two
// neighboring lines at a time, so that the waste grows up to a stride of 32.
//
// When it does not matter: for arrays that stay in the cache from one kernel to the next; where the waste
// can be turned into use by reading whole lines into shared memory first (memory/kern_shared_mem).
//
// Both sides copy the same values to the same place. First they lie `stride` floats apart, or begin `offset`
// floats after the start of a line; then they lie side by side. The rate counts useful bytes only.
//
// Answer: By the sectors, on a device: half at every second float; an eighth at a stride of 8 or more, since
// each value takes a sector of 32 bytes; at 32 no less by this count. It costs less where the rate has room:
// an H200 lost 9 % at every second float, as side by side the kernel moved its 134 MB at 2.4 of the 4.8 TB/s
// of the data sheet (commit c3d44b4). On a CPU with lines of 64 bytes it falls further, to a sixteenth at 16,
// and to half of that at 32 where lines are fetched in pairs: two cores of an EPYC were 24 times slower there
// (commit 03cee4c).

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/memory_kernels.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_kern_coalescing {

constexpr std::size_t strides[] = {2, 8, 32, 1, 1};
constexpr std::size_t offsets[] = {0, 0, 0, 1, 11};
constexpr Axis axes[] = {{.name = "pattern",
                          .about = "how the values lie that are spread out, in floats",
                          .labels = {"stride2", "stride8", "stride32", "offset1", "offset11"}}};

Trial on_device(Setup& setup, std::size_t stride, std::size_t offset) {
  constexpr std::size_t n = 16 << 20;  // 64 MiB, more than the caches of most devices
  require_device_memory((n * (2 + stride) + offset) * sizeof(float));
  struct State {
    DeviceFloats packed, spread, out;
  };
  const auto& stream = *setup.stream;
  const auto s =
      std::make_shared<State>(State{DeviceFloats(n), DeviceFloats(offset + n * stride), DeviceFloats(n)});
  s->packed.upload(random_floats(n, setup.seed), stream);
  s->spread.clear(stream);  // spread out they are up to 2 GiB: not to be sent over the link
  check(queue_spread(s->spread.data(), s->packed.data(), n, stride, offset, stream.get()));
  return {
      .naive =
          [s, &stream, stride, offset] {
            check(queue_strided_copy(s->out.data(), s->spread.data(), n, stride, offset, stream.get()));
          },
      .optimized =
          [s, &stream] { check(queue_strided_copy(s->out.data(), s->packed.data(), n, 1, 0, stream.get())); },
      .clear = [s, &stream] { s->out.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return s->out.download(stream); },
      .timer = Timer::event,
      .bytes_moved = 2 * n * sizeof(float),
  };
}

Trial on_host(Setup& setup, std::size_t stride) {
  constexpr std::size_t n = 4 << 20;
  const auto values = std::make_shared<const SpreadValues>(n, stride, 0, setup.seed);
  const auto out = std::make_shared<std::vector<float>>(n);
  return {
      .naive = [values, out, stride] { copy_strided(*out, values->spread, stride); },
      .optimized = [values, out] { copy_strided(*out, values->packed, 1); },
      .clear = [out] { out->assign(n, -2.0F); },
      .answer = [out](Form) -> Answer { return *out; },
      .bytes_moved = 2 * n * sizeof(float),
  };
}

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || offsets[static_cast<std::size_t>(point["pattern"])] == 0;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto pattern = static_cast<std::size_t>(point["pattern"]);
  if (setup.device.is_cuda()) return on_device(setup, strides[pattern], offsets[pattern]);
  return on_host(setup, strides[pattern]);
}

extern constexpr Step step = checked({
    .id = "memory/kern_coalescing",
    .claim = "Values that lie side by side are read faster than values with a stride or off the line.",
    .claim_ids = "kern-coalescing",
    .sides = {"spread out", "side by side"},
    .source = best_practices("Coalesced Access to Global Memory"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "V100: 790 GB/s aligned, about 9/10 of it with an offset; half at stride 2",
                    .except = "pattern:offset1 pattern:offset11"},
    .row_seconds = 6,
});

}  // namespace microbench::memory_kern_coalescing
