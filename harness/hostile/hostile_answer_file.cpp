#include "harness/files/problem_file.hpp"
#include "harness/hostile/targets.hpp"
#include "harness/model/operation.hpp"

namespace harness::hostile {
namespace {

Tensor output(std::string name, DType dtype, std::vector<std::int64_t> shape, std::size_t bytes) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.role = Role::output;
  tensor.dtype = dtype;
  tensor.strides.assign(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    tensor.strides[axis - 1] = tensor.strides[axis] * shape[axis];
  }
  tensor.shape = std::move(shape);
  tensor.storage.assign(bytes, 0xa5);
  return tensor;
}

// An input, a whole output of two axes, one with spare bytes, and one of no element.
Problem some_problem() {
  Problem problem;
  problem.operation = "some";
  problem.tensors = {output("in", DType::u8, {4}, 4), output("out", DType::e4m3, {2, 4}, 8),
                     output("wide", DType::f32, {2}, 9), output("none", DType::bf16, {0}, 0)};
  problem.tensors.front().role = Role::input;
  return problem;
}

}  // namespace

// An answer that was accepted has the bytes of every output, and is accepted again when written.
void hostile_answer_file(Bytes bytes) {
  static const Problem problem = some_problem();
  auto file = parse_safetensors(bytes, source);
  if (!accepted(file)) return;
  const auto outputs = outputs_from(std::move(*file), problem, source);
  if (!accepted(outputs)) return;
  law(outputs->size() == 3, "an answer has every output");
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    law((*outputs)[i].size() == problem.tensors[i + 1].storage.size(),
        "an answer has the bytes of its output");
  }
  law(must(outputs_from(to_tensor_file(problem, *outputs), problem, source), "an answer again") ==
          *outputs,
      "an answer reads back equal");
}

}  // namespace harness::hostile
