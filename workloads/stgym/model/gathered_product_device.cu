// Products with rows that are picked by number: in FP32 arithmetic, or on tensor cores, whose kernels are
// empty below sm_80. CUTLASS has the main loops, in which the next parts of the sum are on their way while
// one is multiplied, and the ends; the rows come from iterators of ours, since CUTLASS's own take no row
// numbers of 64 bits, no rows that count as zeros, and for FP32 arithmetic one number at a time.
#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/neighbour_sum_kernels.hpp"

#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/epilogue/threadblock/default_epilogue_simt.h>
#include <cutlass/gemm/threadblock/default_mma_core_simt.h>
#include <cutlass/gemm/threadblock/mma_pipelined.h>
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include <cutlass/epilogue/threadblock/default_epilogue_tensor_op.h>
#include <cutlass/gemm/threadblock/default_mma_core_sm80.h>
#include <cutlass/gemm/threadblock/mma_multistage.h>
#endif

#include <algorithm>

namespace workloads::stgym {
namespace {

using cutlass::bfloat16_t;
using cutlass::MatrixShape;
using cutlass::arch::OpMultiplyAdd;
using cutlass::arch::OpMultiplyAddFastF32;
using cutlass::gemm::GemmShape;
using cutlass::layout::ColumnMajor;
using cutlass::layout::PitchLinearShape;
using cutlass::layout::RowMajor;

constexpr int tile = 128;
constexpr int threads = 256;
constexpr int vector = 4;  // FP32 numbers of one load or store

/// Rows of a matrix, `width` numbers each, or those that a batch picked, whose numbers have 64 bits: the
/// number of the n-th, or -1 for a row of zeros, which those behind the last one are, and where a row begins.
template <class T, class Integer>
struct Rows {
  using Element = T;
  using Number = Integer;
  const Element* first;
  int width;
  const std::int64_t* picked = nullptr;
  __device__ Number number(int n, int end) const {
    Number found = n < end ? n : -1;
    if constexpr (sizeof(Number) == sizeof(*picked))
      cutlass::arch::global_load<Number, sizeof(Number)>(found, picked + n, n < end && picked != nullptr);
    return found;
  }
  __device__ const Element* at(std::int64_t number) const { return first + number * width; }
};

/// What both iterators are for CUTLASS: a thread reads 16 bytes at a time, Map::Iterations of them in a tile.
template <class Map, class From>
struct TileAccess {
  using ThreadMap = Map;
  using Element = typename From::Element;
  using AccessType = cutlass::AlignedArray<Element, Map::kElementsPerAccess>;
  static constexpr int depth = Map::Shape::kCount / tile;
  static constexpr int kAccessesPerVector = 1;
  static_assert(sizeof(AccessType) == vector * sizeof(float));

  int now = 0;  // of the tile's accesses
  __device__ void set_iteration_index(int index) { now = index; }
  /// Behind the last part of the sum nothing is in bounds, so there is nothing to switch off.
  __device__ void clear_mask(bool) {}
};

/// A factor whose sum runs along its rows: a thread keeps its rows, of rows.x to rows.y, and moves along
/// them.
template <class Map, class From>
class Along : public TileAccess<Map, From> {
 public:
  __device__ Along(const From& from, longlong2 rows, int thread) : width_(from.width) {
    static_assert(Map::Iterations::kContiguous == 1);
    const auto at = Map::initial_offset(thread);
    column_ = at.contiguous();
#pragma unroll
    for (int i = 0; i < Map::Iterations::kStrided; ++i) {
      const int n = static_cast<int>(rows.x) + at.strided() + i * Map::Delta::kStrided;
      const auto number = from.number(n, static_cast<int>(rows.y));
      row_[i] = number < 0 ? nullptr : from.at(number);
    }
  }
  __device__ bool valid() const { return row_[this->now] != nullptr && column_ < width_; }
  __device__ auto* get() const {
    return reinterpret_cast<const typename Along::AccessType*>(row_[this->now] + column_);
  }
  __device__ Along& operator++() {
    ++this->now;
    return *this;
  }
  __device__ void add_tile_offset(const cutlass::MatrixCoord&) { column_ += this->depth; }

 private:
  const typename From::Element* row_[Map::Iterations::kStrided];
  int column_, width_;  // a row has fewer numbers than 2^31, and so has a batch rows
};

/// A factor whose sum runs down its rows, rows.x to rows.y: a thread keeps its columns and moves down. The
/// next rows' numbers are on their way while these rows are read.
template <class Map, class From>
class Down : public TileAccess<Map, From> {
 public:
  __device__ Down(const From& from, longlong2 rows, std::int64_t column, int thread)
      : from_(from), end_(static_cast<int>(rows.y)) {
    const auto at = Map::initial_offset(thread);
    n_ = static_cast<int>(rows.x) + at.strided();
    column_ = static_cast<int>(column) + at.contiguous();
    look_up();
    add_tile_offset({});
  }
  __device__ bool valid() const { return row() >= 0 && column() < from_.width; }
  __device__ auto* get() const {
    return reinterpret_cast<const typename Down::AccessType*>(from_.at(row()) + column());
  }
  __device__ Down& operator++() {
    ++this->now;
    return *this;
  }
  __device__ void add_tile_offset(const cutlass::MatrixCoord&) {
#pragma unroll
    for (int i = 0; i < Map::Iterations::kStrided; ++i) row_[i] = next_[i];
    n_ += this->depth;
    look_up();
  }

 private:
  __device__ auto row() const { return row_[this->now / Map::Iterations::kContiguous]; }
  __device__ int column() const {
    return column_ + this->now % Map::Iterations::kContiguous * Map::Delta::kContiguous;
  }
  __device__ void look_up() {
#pragma unroll
    for (int i = 0; i < Map::Iterations::kStrided; ++i)
      next_[i] = from_.number(n_ + i * Map::Delta::kStrided, end_);
  }

  From from_;
  typename From::Number row_[Map::Iterations::kStrided], next_[Map::Iterations::kStrided];
  int n_, end_, column_;
};

/// What becomes of a sum before it is stored.
struct Ending {
  const float* bias;  // of the column, added; null: none
  float least;        // the result is no less
};

/// In FP32 arithmetic: a thread reads 4 numbers of each factor's 8 next steps while those before are
/// multiplied.
template <class Access>
class Loading : public Access {
 public:
  using Fragment = typename Access::AccessType;
  static_assert(Access::ThreadMap::Iterations::kCount == Access::kAccessesPerVector);

  __device__ Loading(const Access& access) : Access(access) {}
  __device__ void load(Fragment& out) {
    this->set_iteration_index(0);
    cutlass::arch::global_load<Fragment, sizeof(Fragment)>(out, this->get(), this->valid());
  }
  __device__ Loading& operator++() {
    this->add_tile_offset({});
    return *this;
  }
};

constexpr int steps = 8;  // of the sum, in a part
using AlongRows =
    cutlass::transform::PitchLinearStripminedThreadMap<PitchLinearShape<steps, tile>, threads, vector>;
using DownRows =
    cutlass::transform::PitchLinearStripminedThreadMap<PitchLinearShape<tile, steps>, threads, vector>;

/// Where a thread puts numbers that it read along a row: in shared memory the sum's steps come first.
struct AcrossRows {
  using TensorCoord = AlongRows::TensorCoord;
  using Iterations = PitchLinearShape<1, vector>;
  using Delta = PitchLinearShape<1, 1>;
  static constexpr int kElementsPerAccess = 1;
  __device__ static TensorCoord initial_offset(int thread) {
    const auto at = AlongRows::initial_offset(thread);
    return {at.strided(), at.contiguous()};
  }
};

/// FP32 arithmetic: `Map` says who reads what, and `Stored` where in shared memory it goes.
template <class Map, class Stored>
struct Arithmetic {
  using ElementA = float;
  using Shape = GemmShape<tile, tile, steps>;
  using Multiply = typename cutlass::gemm::threadblock::DefaultMmaCore<
      Shape, GemmShape<32, 64, steps>, GemmShape<1, 1, 1>, float, ColumnMajor, float, RowMajor, float,
      RowMajor, cutlass::arch::OpClassSimt, 2, OpMultiplyAdd>::MmaPolicy::Operator;
  using IteratorThreadMapA = Map;
  using IteratorThreadMapB = Map;
  template <class A, class B>
  using Loop = cutlass::gemm::threadblock::MmaPipelined<
      Shape, Loading<A>,
      cutlass::transform::threadblock::RegularTileIterator<MatrixShape<tile, steps>, float, ColumnMajor, 1,
                                                           Stored>,
      Loading<B>,
      cutlass::transform::threadblock::RegularTileIterator<MatrixShape<steps, tile>, float, RowMajor, 0,
                                                           Stored>,
      float, RowMajor,
      cutlass::gemm::threadblock::MmaPolicy<Multiply, MatrixShape<vector, 0>, MatrixShape<0, vector>>>;
  using Output = cutlass::epilogue::thread::LinearCombinationRelu<float, 1>;
  using End =
      typename cutlass::epilogue::threadblock::DefaultEpilogueSimt<Shape, Multiply, Output, 1>::Epilogue;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
constexpr int stages = 3;
constexpr auto through_l2 = cutlass::arch::CacheOperation::Global;

/// A tile's next 64 bytes of a row, or rows of them, are three parts of the sum ahead.
template <class Element, class Operator, class LayoutA, class LayoutB, int steps = 64 / sizeof(Element)>
struct TensorCores
    : cutlass::gemm::threadblock::DefaultMmaCore<GemmShape<tile, tile, steps>, GemmShape<64, 32, steps>,
                                                 GemmShape<16, 8, steps / 2>, Element, LayoutA, Element,
                                                 LayoutB, float, RowMajor, cutlass::arch::OpClassTensorOp,
                                                 stages, Operator, false, through_l2, through_l2> {
  using Core = typename TensorCores::DefaultMmaCore;
  static_assert(Core::kThreads == threads);
  template <class A, class B>
  using Loop =
      cutlass::gemm::threadblock::MmaMultistage<typename Core::Shape, A, typename Core::SmemIteratorA,
                                                through_l2, B, typename Core::SmemIteratorB, through_l2,
                                                float, RowMajor, typename Core::MmaPolicy, stages,
                                                cutlass::gemm::SharedMemoryClearOption::kZfill>;
  using Output = cutlass::epilogue::thread::LinearCombinationRelu<float, vector>;
  using End = typename cutlass::epilogue::threadblock::DefaultEpilogueTensorOp<
      typename Core::Shape, typename Core::MmaPolicy::Operator, 1, Output, vector>::Epilogue;
};
#else
template <class...>
using TensorCores = void;
#endif

/// A block's product, written into the tile of `out` that begins at `corner`; `length` is the sum's.
template <class Unit, class A, class B>
__device__ void multiply(A a, B b, std::int64_t length, Ending ending, float* out, longlong2 size,
                         longlong2 corner) {
  using Loop = typename Unit::template Loop<A, B>;
  using End = typename Unit::End;
  union Storage {
    typename Loop::SharedStorage loop;
    typename End::SharedStorage end;
  };
  alignas(128) __shared__ char bytes[sizeof(Storage)];
  auto& storage = *reinterpret_cast<Storage*>(bytes);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = __shfl_sync(~0U, thread / 32, 0);
  typename Loop::FragmentC sums;
  sums.clear();
  Loop loop(storage.loop, thread, warp, thread % 32);
  loop(static_cast<int>((length + A::depth - 1) / A::depth), sums, a, b, sums);
  const cutlass::MatrixCoord extent(static_cast<int>(size.x), static_cast<int>(size.y));
  const cutlass::MatrixCoord place(static_cast<int>(corner.x), static_cast<int>(corner.y));
  using Result = typename End::OutputTileIterator;
  const typename Result::Params rows{RowMajor(extent.column())}, one_row{RowMajor(0)};
  Result to(rows, out, extent, thread, place);
  const Result bias(one_row, const_cast<float*>(ending.bias), extent, thread, place);  // it is only read
  End end(storage.end, thread, warp, thread % 32);
  end(typename Unit::Output({1, ending.bias != nullptr ? 1.0F : 0.0F, ending.least}), to, sums, bias);
}

template <class Unit>
__device__ void product(const GatheredProduct& g) {
  if constexpr (!std::is_void_v<Unit>) {
    using Element = typename Unit::ElementA;
    const int thread = static_cast<int>(threadIdx.x), width = static_cast<int>(g.picked.width);
    const longlong2 corner{static_cast<std::int64_t>(blockIdx.x) * tile,
                           static_cast<std::int64_t>(blockIdx.y) * tile};
    const Along<typename Unit::IteratorThreadMapA, Rows<Element, std::int64_t>> x(
        {static_cast<const Element*>(g.picked.x), width, g.picked.rows}, {corner.x, g.picked.count}, thread);
    const Along<typename Unit::IteratorThreadMapB, Rows<Element, int>> weight(
        {static_cast<const Element*>(g.weight), width}, {corner.y, g.outputs}, thread);
    multiply<Unit>(x, weight, g.picked.width, {g.bias, g.relu ? 0 : -INFINITY}, g.out,
                   {g.picked.count, g.outputs}, corner);
  }
}

template <class Unit>
__device__ void gradient(const GatheredGradient& g) {
  if constexpr (!std::is_void_v<Unit>) {
    using Element = typename Unit::ElementA;
    const int thread = static_cast<int>(threadIdx.x);
    const longlong2 corner{static_cast<std::int64_t>(blockIdx.y) * tile,
                           static_cast<std::int64_t>(blockIdx.x) * tile};
    const auto part = static_cast<std::int64_t>(blockIdx.z);
    const longlong2 nodes{g.picked.count * part / g.parts, g.picked.count * (part + 1) / g.parts};
    const Down<typename Unit::IteratorThreadMapA, Rows<Element, int>> of_out(
        {static_cast<const Element*>(g.gradient), static_cast<int>(g.outputs)}, nodes, corner.x, thread);
    const Down<typename Unit::IteratorThreadMapB, Rows<Element, std::int64_t>> x(
        {static_cast<const Element*>(g.picked.x), static_cast<int>(g.picked.width), g.picked.rows}, nodes,
        corner.y, thread);
    multiply<Unit>(of_out, x, nodes.y - nodes.x, {nullptr, -INFINITY},
                   g.partial + part * g.outputs * g.picked.width, {g.outputs, g.picked.width}, corner);
  }
}

// Two blocks of FP32 arithmetic fit a multiprocessor if a thread has no more registers than blocks of 512
// leave it.
constexpr int resident = 2 * threads;

__global__ void __launch_bounds__(resident) gathered_product(GatheredProduct g) {
  product<Arithmetic<AlongRows, AcrossRows>>(g);
}
__global__ void __launch_bounds__(resident) gathered_gradient(GatheredGradient g) {
  gradient<Arithmetic<DownRows, DownRows>>(g);
}

__global__ void __launch_bounds__(threads) product_tf32(GatheredProduct g) {
  product<TensorCores<float, OpMultiplyAdd, RowMajor, ColumnMajor>>(g);
}
__global__ void __launch_bounds__(threads) product_3xtf32(GatheredProduct g) {
  product<TensorCores<float, OpMultiplyAddFastF32, RowMajor, ColumnMajor>>(g);
}
__global__ void __launch_bounds__(threads) product_bf16(GatheredProduct g) {
  product<TensorCores<bfloat16_t, OpMultiplyAdd, RowMajor, ColumnMajor>>(g);
}
__global__ void __launch_bounds__(threads) gradient_tf32(GatheredGradient g) {
  gradient<TensorCores<float, OpMultiplyAdd, ColumnMajor, RowMajor>>(g);
}
__global__ void __launch_bounds__(threads) gradient_3xtf32(GatheredGradient g) {
  gradient<TensorCores<float, OpMultiplyAddFastF32, ColumnMajor, RowMajor>>(g);
}
__global__ void __launch_bounds__(threads) gradient_bf16(GatheredGradient g) {
  gradient<TensorCores<bfloat16_t, OpMultiplyAdd, ColumnMajor, RowMajor>>(g);
}

constexpr void (*products[])(GatheredProduct) = {gathered_product, product_tf32, product_3xtf32,
                                                 product_bf16};
constexpr void (*gradients[])(GatheredGradient) = {gathered_gradient, gradient_tf32, gradient_3xtf32,
                                                   gradient_bf16};

unsigned tiles_of(std::int64_t length) { return static_cast<unsigned>((length + tile - 1) / tile); }

/// N x F numbers of the data set, N x H and H x F others: so many bytes each read or written. What tensor
/// cores calculate is not said: it is no arithmetic of the kind that a launch is priced by. So simulate takes
/// three products in TF32 for as long as one.
void say_work(const PickedRows& picked, std::int64_t outputs, Digits digits, double x, double of_rows,
              double weights) {
  const auto rows = static_cast<double>(picked.count), width = static_cast<double>(picked.width);
  const auto out = static_cast<double>(outputs);
  harness::next_launch_does(
      x * rows * width + of_rows * rows * out + weights * width * out + sizeof(std::int64_t) * rows,
      digits == Digits::fp32 ? rows * width * out : 0);
}

/// Of a factor's number.
double bytes_of(Digits digits) { return digits == Digits::bf16 ? sizeof(bfloat16_t) : sizeof(float); }

}  // namespace

void launch_gathered_product(const GatheredProduct& args, Digits digits, cudaStream_t stream) {
  if (args.picked.count == 0) return;
  const dim3 grid(tiles_of(args.picked.count), tiles_of(args.outputs));
  const auto number = bytes_of(digits);
  say_work(args.picked, args.outputs, digits, number * grid.y, sizeof(float), number);
  products[static_cast<int>(digits)]<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

int gradient_parts(std::int64_t outputs, std::int64_t width, Digits digits, int processors) {
  int of_processor = 0;
  harness::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &of_processor, gradients[static_cast<int>(digits)], threads, 0));
  return std::max(1, of_processor * processors / static_cast<int>(tiles_of(outputs) * tiles_of(width)));
}

void launch_gathered_gradient(const GatheredGradient& args, Digits digits, cudaStream_t stream) {
  const dim3 grid(tiles_of(args.picked.width), tiles_of(args.outputs), static_cast<unsigned>(args.parts));
  const auto number = bytes_of(digits);
  say_work(args.picked, args.outputs, digits, number * grid.y, number * grid.x, sizeof(float) * args.parts);
  gradients[static_cast<int>(digits)]<<<grid, threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
