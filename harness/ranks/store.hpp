// The store of a job: keys and queues that its processes share, over TCP.
#pragma once

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace harness::ranks {

using Store = c10::intrusive_ptr<c10d::Store>;
using Bytes = std::vector<std::uint8_t>;

/// Listens at that address and nowhere else until the store goes. Throws BadInput where it cannot.
Store open_store(const std::string& address, int port, std::chrono::milliseconds patience);
/// Connects to it; nothing where nobody listens there in time.
Store reach_store(const std::string& address, int port, std::chrono::milliseconds patience);
/// The part of a store whose keys begin with `prefix`.
Store part_of(const Store& store, const std::string& prefix);

/// True as soon as the key or an entry of the queue is there. Throws what LibTorch throws where the store is
/// gone.
bool comes(const Store& store, const std::string& key, std::chrono::milliseconds time);
/// True if the queue has an entry now.
bool waits(const Store& store, const std::string& queue);

/// This machine's address on the way to another one: where others can reach it. Throws std::system_error.
std::string own_address(const std::string& towards, int port);

}  // namespace harness::ranks
