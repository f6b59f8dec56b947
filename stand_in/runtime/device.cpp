#include "stand_in/runtime/device.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace stand_in {

Device::Device(int number) : index(number), legacy_(std::make_shared<Stream>(number, cudaStreamDefault, 0)) {}

std::shared_ptr<Stream> Device::add_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(index, flags, priority);
  const std::lock_guard lock(order_);
  std::erase_if(streams_, [](const auto& one) { return one.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::vector<Mark> Device::blocking_work() {
  std::vector<Mark> marks;
  for (const auto& weak : streams_)
    if (const auto stream = weak.lock(); stream && stream->is_blocking())
      if (auto mark = stream->mark(); !stream->has_reached(mark.ticket)) marks.push_back(std::move(mark));
  return marks;
}

Mark Device::enqueue(Stream& stream, Stream::Item item) {
  const std::lock_guard lock(order_);
  if (&stream == legacy_.get()) {
    auto before = blocking_work();
    item.after.insert(item.after.end(), before.begin(), before.end());
  } else if (stream.is_blocking()) {
    if (auto mark = legacy_->mark(); !legacy_->has_reached(mark.ticket))
      item.after.push_back(std::move(mark));
  }
  const auto ticket = stream.push(std::move(item));
  return {stream.shared_from_this(), ticket};
}

std::vector<Mark> Device::work_of(Stream& stream) {
  const std::lock_guard lock(order_);
  std::vector<Mark> marks;
  if (&stream == legacy_.get()) marks = blocking_work();
  marks.push_back(stream.mark());
  return marks;
}

std::vector<Mark> Device::all_work() {
  const std::lock_guard lock(order_);
  std::vector<Mark> marks{legacy_->mark()};
  for (const auto& weak : streams_)
    if (const auto stream = weak.lock()) marks.push_back(stream->mark());
  return marks;
}

void wait_for(const std::vector<Mark>& marks) {
  for (const auto& mark : marks) mark.stream->wait_for(mark.ticket);
}

bool have_ended(const std::vector<Mark>& marks) {
  for (const auto& mark : marks) mark.stream->demand(mark.ticket);
  return std::ranges::all_of(marks, [](const Mark& mark) { return mark.stream->has_reached(mark.ticket); });
}

}  // namespace stand_in
