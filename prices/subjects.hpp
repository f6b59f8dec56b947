// The subjects of the price list: each puts its rows on it that this machine can bear.
#pragma once

#include "prices/machine.hpp"

namespace prices {

void add_host_memory(const Machine& machine);
void add_handover(const Machine& machine);
void add_threads(const Machine& machine);
void add_host_bandwidth(const Machine& machine);
void add_operators(const Machine& machine);
void add_products(const Machine& machine);

// On the device; without one they add nothing.
void add_copies(const Machine& machine);
void add_launches(const Machine& machine);
void add_allocators(const Machine& machine);
void add_device_bandwidth(const Machine& machine);
void add_devices(const Machine& machine);
void add_managed(const Machine& machine);

// Where there are several NUMA nodes.
void add_nodes(const Machine& machine);

}  // namespace prices
