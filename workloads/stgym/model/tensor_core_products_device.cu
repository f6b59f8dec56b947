// The products of gathered_product_device.cu on tensor cores. CUTLASS has the main loop, in which two parts
// of the sum are on their way while one is multiplied, and the end; the rows come from iterators of ours,
// since CUTLASS's own take no row numbers of 64 bits and no rows that count as zeros. Empty below sm_80.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/neighbour_sum_kernels.hpp"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/epilogue/threadblock/default_epilogue_tensor_op.h>
#include <cutlass/gemm/threadblock/default_mma_core_sm80.h>
#include <cutlass/gemm/threadblock/mma_multistage.h>
#endif

namespace workloads::stgym {
namespace {

constexpr int tile = 128;
constexpr int threads = 256;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;

constexpr int depth = 16;
constexpr int vector = 4;  // numbers of one load
constexpr int stages = 3;
constexpr auto through_l2 = cutlass::arch::CacheOperation::Global;

/// Rows of a matrix, `width` numbers each, and those that a batch picked. Null: a row of zeros.
struct Rows {
  const float* first;
  std::int64_t width;
  __device__ const float* operator()(std::int64_t n) const { return first + n * width; }
};
struct Picked {
  PickedRows rows;
  __device__ const float* operator()(std::int64_t n) const {
    const std::int64_t row = rows.rows == nullptr ? n : rows.rows[n];
    return row < 0 ? nullptr : rows.x + row * rows.width;
  }
};

/// What both iterators are for CUTLASS: a thread reads 4 numbers at a time, Map::Iterations of them in a
/// tile.
template <class Map>
struct TileAccess {
  using ThreadMap = Map;
  using Element = float;
  using AccessType = cutlass::Array<float, vector>;
  static constexpr int kAccessesPerVector = 1;
  static_assert(Map::kElementsPerAccess == vector);

  int now = 0;  // of the tile's accesses
  __device__ void set_iteration_index(int index) { now = index; }
  /// Behind the last part of the sum nothing is in bounds, so there is nothing to switch off.
  __device__ void clear_mask(bool) {}
};

/// A factor whose sum runs along its rows: a thread keeps its rows, of rows.x to rows.y, and moves along
/// them.
template <class Map, class From>
class Along : public TileAccess<Map> {
 public:
  __device__ Along(const From& from, longlong2 rows, std::int64_t width, int thread)
      : width_(static_cast<int>(width)) {
    static_assert(Map::Iterations::kContiguous == 1);
    const auto at = Map::initial_offset(thread);
    column_ = at.contiguous();
#pragma unroll
    for (int i = 0; i < Map::Iterations::kStrided; ++i) {
      const auto n = rows.x + at.strided() + i * Map::Delta::kStrided;
      row_[i] = n < rows.y ? from(n) : nullptr;
    }
  }
  __device__ bool valid() const { return row_[this->now] != nullptr && column_ < width_; }
  __device__ auto* get() const {
    return reinterpret_cast<const typename TileAccess<Map>::AccessType*>(row_[this->now] + column_);
  }
  __device__ Along& operator++() {
    ++this->now;
    return *this;
  }
  __device__ void add_tile_offset(const cutlass::MatrixCoord&) { column_ += depth; }

 private:
  const float* row_[Map::Iterations::kStrided];
  int column_, width_;  // a row has fewer numbers than 2^31, and so has a batch rows
};

/// A factor whose sum runs down its rows, rows.x to rows.y: a thread keeps its columns and moves down.
template <class Map, class From>
class Down : public TileAccess<Map> {
 public:
  __device__ Down(const From& from, longlong2 rows, longlong2 columns, int thread)
      : from_(from), end_(static_cast<int>(rows.y)), width_(static_cast<int>(columns.y)) {
    const auto at = Map::initial_offset(thread);
    n_ = static_cast<int>(rows.x) + at.strided();
    column_ = static_cast<int>(columns.x) + at.contiguous();
    find_rows();
  }
  __device__ bool valid() const { return row() != nullptr && column() < width_; }
  __device__ auto* get() const {
    return reinterpret_cast<const typename TileAccess<Map>::AccessType*>(row() + column());
  }
  __device__ Down& operator++() {
    ++this->now;
    return *this;
  }
  __device__ void add_tile_offset(const cutlass::MatrixCoord&) {
    n_ += depth;
    find_rows();
  }

 private:
  __device__ const float* row() const { return row_[this->now / Map::Iterations::kContiguous]; }
  __device__ int column() const {
    return column_ + this->now % Map::Iterations::kContiguous * Map::Delta::kContiguous;
  }
  __device__ void find_rows() {
#pragma unroll
    for (int i = 0; i < Map::Iterations::kStrided; ++i) {
      const auto n = n_ + i * Map::Delta::kStrided;
      row_[i] = n < end_ ? from_(n) : nullptr;
    }
  }

  From from_;
  const float* row_[Map::Iterations::kStrided];
  int n_, end_, column_, width_;
};

/// What becomes of a sum before it is stored.
struct Ending {
  const float* bias;  // of the column, added; null: none
  float least;        // the result is no less
};

/// A block's product, written into the tile of `out` that begins at `corner`; `length` is the sum's.
template <class Core, class A, class B>
__device__ void multiply(A a, B b, std::int64_t length, Ending ending, float* out, longlong2 size,
                         longlong2 corner) {
  using Loop =
      cutlass::gemm::threadblock::MmaMultistage<typename Core::Shape, A, typename Core::SmemIteratorA,
                                                through_l2, B, typename Core::SmemIteratorB, through_l2,
                                                float, RowMajor, typename Core::MmaPolicy, stages,
                                                cutlass::gemm::SharedMemoryClearOption::kZfill>;
  using Output = cutlass::epilogue::thread::LinearCombinationRelu<float, vector>;
  using End = typename cutlass::epilogue::threadblock::DefaultEpilogueTensorOp<
      typename Core::Shape, typename Loop::Operator, 1, Output, vector>::Epilogue;
  union Storage {
    typename Loop::SharedStorage loop;
    typename End::SharedStorage end;
  };
  static_assert(Core::kThreads == threads);
  alignas(128) __shared__ char bytes[sizeof(Storage)];
  auto& storage = *reinterpret_cast<Storage*>(bytes);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = __shfl_sync(~0U, thread / 32, 0);
  typename Loop::FragmentC sums;
  sums.clear();
  Loop loop(storage.loop, thread, warp, thread % 32);
  loop(static_cast<int>((length + depth - 1) / depth), sums, a, b, sums);
  const cutlass::MatrixCoord extent(static_cast<int>(size.x), static_cast<int>(size.y));
  const cutlass::MatrixCoord place(static_cast<int>(corner.x), static_cast<int>(corner.y));
  using Result = typename End::OutputTileIterator;
  const typename Result::Params rows{RowMajor(extent.column())}, one_row{RowMajor(0)};
  Result to(rows, out, extent, thread, place);
  const Result bias(one_row, const_cast<float*>(ending.bias), extent, thread, place);  // it is only read
  End end(storage.end, thread, warp, thread % 32);
  end(Output({1, ending.bias != nullptr ? 1.0F : 0.0F, ending.least}), to, sums, bias);
}

template <class Operator, class LayoutA, class LayoutB>
using CoreOf = cutlass::gemm::threadblock::DefaultMmaCore<
    cutlass::gemm::GemmShape<tile, tile, depth>, cutlass::gemm::GemmShape<64, 32, depth>,
    cutlass::gemm::GemmShape<16, 8, 8>, float, LayoutA, float, LayoutB, float, RowMajor,
    cutlass::arch::OpClassTensorOp, stages, Operator, false, through_l2, through_l2>;

template <class Operator>
__device__ void product(const GatheredProduct& g) {
  using Core = CoreOf<Operator, RowMajor, ColumnMajor>;
  const int thread = static_cast<int>(threadIdx.x);
  const longlong2 corner{static_cast<std::int64_t>(blockIdx.x) * tile,
                         static_cast<std::int64_t>(blockIdx.y) * tile};
  const Along<typename Core::IteratorThreadMapA, Picked> x({g.picked}, {corner.x, g.picked.count},
                                                           g.picked.width, thread);
  const Along<typename Core::IteratorThreadMapB, Rows> weight({g.weight, g.picked.width},
                                                              {corner.y, g.outputs}, g.picked.width, thread);
  multiply<Core>(x, weight, g.picked.width, {g.bias, g.relu ? 0 : -INFINITY}, g.out,
                 {g.picked.count, g.outputs}, corner);
}

template <class Operator>
__device__ void gradient(const GatheredGradient& g) {
  using Core = CoreOf<Operator, ColumnMajor, RowMajor>;
  const int thread = static_cast<int>(threadIdx.x);
  const longlong2 corner{static_cast<std::int64_t>(blockIdx.y) * tile,
                         static_cast<std::int64_t>(blockIdx.x) * tile};
  const auto part = static_cast<std::int64_t>(blockIdx.z);
  const longlong2 nodes{g.picked.count * part / g.parts, g.picked.count * (part + 1) / g.parts};
  const Down<typename Core::IteratorThreadMapA, Rows> of_out({g.gradient, g.outputs}, nodes,
                                                             {corner.x, g.outputs}, thread);
  const Down<typename Core::IteratorThreadMapB, Picked> x({g.picked}, nodes, {corner.y, g.picked.width},
                                                          thread);
  multiply<Core>(of_out, x, nodes.y - nodes.x, {nullptr, -INFINITY},
                 g.partial + part * g.outputs * g.picked.width, {g.outputs, g.picked.width}, corner);
}

using cutlass::arch::OpMultiplyAdd;
using cutlass::arch::OpMultiplyAddFastF32;
#endif

__global__ void __launch_bounds__(threads) product_tf32(GatheredProduct g) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  product<OpMultiplyAdd>(g);
#endif
}
__global__ void __launch_bounds__(threads) product_3xtf32(GatheredProduct g) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  product<OpMultiplyAddFastF32>(g);
#endif
}
__global__ void __launch_bounds__(threads) gradient_tf32(GatheredGradient g) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  gradient<OpMultiplyAdd>(g);
#endif
}
__global__ void __launch_bounds__(threads) gradient_3xtf32(GatheredGradient g) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  gradient<OpMultiplyAddFastF32>(g);
#endif
}

unsigned tiles_of(std::int64_t length) { return static_cast<unsigned>((length + tile - 1) / tile); }

/// The factors are read once for each tile of the other one. What tensor cores calculate is not said: it is
/// no arithmetic of the kind that a launch is priced by.
void say_bytes(const PickedRows& picked, std::int64_t outputs, double x, double of_rows, double weights) {
  const auto rows = static_cast<double>(picked.count), width = static_cast<double>(picked.width);
  const auto out = static_cast<double>(outputs);
  const auto numbers = x * rows * width + of_rows * rows * out + weights * width * out;
  harness::next_launch_does(sizeof(float) * numbers + sizeof(std::int64_t) * rows);
}

}  // namespace

void launch_tensor_core_product(const GatheredProduct& args, TensorCoreDigits digits, cudaStream_t stream) {
  if (args.picked.count == 0) return;
  const dim3 grid(tiles_of(args.picked.count), tiles_of(args.outputs));
  say_bytes(args.picked, args.outputs, grid.y, 1, 1);
  if (digits == TensorCoreDigits::tf32)
    product_tf32<<<grid, threads, 0, stream>>>(args);
  else
    product_3xtf32<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_tensor_core_gradient(const GatheredGradient& args, TensorCoreDigits digits, cudaStream_t stream) {
  const dim3 grid(tiles_of(args.picked.width), tiles_of(args.outputs), static_cast<unsigned>(args.parts));
  say_bytes(args.picked, args.outputs, grid.y, grid.x, args.parts);
  if (digits == TensorCoreDigits::tf32)
    gradient_tf32<<<grid, threads, 0, stream>>>(args);
  else
    gradient_3xtf32<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
