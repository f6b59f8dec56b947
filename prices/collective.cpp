#include "prices/collective.hpp"

namespace prices {

std::string_view to_string(Collective what) {
  switch (what) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::broadcast:
      return "broadcast";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::barrier:
      break;
  }
  return "barrier";
}

double bus_factor(Collective what, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (what) {
    case Collective::all_reduce:
      return 2 * others;  // a sum's parts go around, and then the sums do
    case Collective::broadcast:
      return 1;  // all of it leaves rank 0
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return others;
    case Collective::barrier:
      break;
  }
  return 0;
}

}  // namespace prices
