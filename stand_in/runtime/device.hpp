#pragma once

#include "stand_in/runtime/stream.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace stand_in {

/// One device: its streams, in the order that the legacy default stream keeps with the blocking ones.
class Device {
 public:
  explicit Device(int index);

  std::shared_ptr<Stream> add_stream(unsigned flags, int priority);
  const std::shared_ptr<Stream>& legacy() const { return legacy_; }
  /// Queues on one of the device's streams, behind what the legacy stream's rule puts before it.
  Mark enqueue(Stream& stream, Stream::Item item);
  /// What cudaStreamSynchronize waits for: of the legacy stream also the blocking streams' work.
  std::vector<Mark> work_of(Stream& stream);
  /// All work of all of the device's streams, destroyed ones too.
  std::vector<Mark> all_work();

  const int index;
  std::set<int> peers;  // devices whose memory this one may reach; guarded by Machine

 private:
  std::vector<Mark> blocking_work();

  std::mutex order_;
  std::shared_ptr<Stream> legacy_;
  std::vector<std::weak_ptr<Stream>> streams_;
};

void wait_for(const std::vector<Mark>& marks);
bool have_ended(const std::vector<Mark>& marks);

}  // namespace stand_in
