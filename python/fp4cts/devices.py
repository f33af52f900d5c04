# SPDX-License-Identifier: Apache-2.0
"""Where a function under test finds its arguments: NumPy arrays, or torch tensors on a device."""
import ctypes
import platform
import time

import numpy as np


class NumpyDevice:
    """Ordinary memory, NumPy arrays. E4M3 codes are uint8, bfloat16 codes uint16."""

    def __init__(self):
        self.about = f"Python {platform.python_version()}, NumPy {np.__version__}"

    def allocate(self, size):
        return np.empty(size, np.uint8)

    def address(self, memory):
        return memory.ctypes.data

    def write(self, memory, image):
        memory[:image.size] = image

    def read(self, memory, size):
        return memory[:size].copy()

    def array(self, buffer, tensor):
        return tensor.array(buffer.address)

    def timed(self, call):
        begin = time.perf_counter()
        result = call()
        return result, time.perf_counter() - begin

    def fill(self, array, result, name):
        """Puts what the function returned into an output: same shape, same bytes an element."""
        given = np.asarray(result)
        check_returned(name, given.shape, given.dtype.itemsize, given.dtype, array.shape, array.dtype.itemsize)
        array[...] = np.ascontiguousarray(given).view(array.dtype).reshape(array.shape)


class TorchDevice:
    """torch tensors on one device, made by DLPack so that they lie exactly where the case asks: at any
    address, with any strides. Their dtypes are torch's own, float8_e4m3fn among them."""

    def __init__(self, name):
        import torch
        self.torch = torch
        self.device = torch.device(name)
        if self.device.type == "cuda":
            if not torch.cuda.is_available():
                raise RuntimeError("torch sees no GPU (torch.cuda.is_available() is False)")
            self.device = torch.device("cuda", self.device.index or 0)
            torch.cuda.set_device(self.device)
            hardware = torch.cuda.get_device_name(self.device)
        elif self.device.type == "cpu":
            hardware = "CPU"
        else:
            raise RuntimeError(f"expected a torch device cpu or cuda, got {name}")
        self.about = f"{hardware}, Python {platform.python_version()}, torch {torch.__version__}{_triton()}"
        self.dtypes = {"U8": torch.uint8, "U16": torch.uint16, "U32": torch.uint32, "I32": torch.int32,
                       "I64": torch.int64, "F8_E4M3": torch.float8_e4m3fn, "F16": torch.float16,
                       "BF16": torch.bfloat16, "F32": torch.float32}

    def allocate(self, size):
        return self.torch.empty(size, dtype=self.torch.uint8, device=self.device)

    def address(self, memory):
        return memory.data_ptr()

    def write(self, memory, image):
        memory[:image.size].copy_(self.torch.from_numpy(image))

    def read(self, memory, size):
        return memory[:size].cpu().numpy()

    def array(self, buffer, tensor):
        dtype = self.dtypes[tensor.dtype]
        return tensor_at(self.torch, self.device, buffer.address + tensor.origin_bytes, dtype, tensor.shape,
                         tensor.strides, buffer.memory)

    def timed(self, call):
        if self.device.type != "cuda":
            return NumpyDevice.timed(self, call)
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        result = call()
        end.record()
        self.torch.cuda.synchronize(self.device)
        return result, begin.elapsed_time(end) / 1000

    def fill(self, array, result, name):
        given = result if isinstance(result, self.torch.Tensor) else self.torch.as_tensor(result)
        check_returned(name, tuple(given.shape), given.element_size(), given.dtype, tuple(array.shape),
                       array.element_size())
        array.copy_(given.contiguous().view(array.dtype))


def check_returned(name, shape, itemsize, dtype, wanted_shape, wanted_itemsize):
    if tuple(shape) != tuple(wanted_shape) or itemsize != wanted_itemsize:
        raise ValueError(f"what it returned for {name}: expected shape {list(wanted_shape)} and "
                         f"{wanted_itemsize} bytes an element, got {list(shape)} of {dtype}")


def _triton():
    try:
        import triton
    except ImportError:
        return ""
    return f", triton {triton.__version__}"


def open_device(name):
    """None or "numpy": NumPy arrays. Else torch tensors on that device: "cpu", "cuda", "cuda:1"."""
    return NumpyDevice() if name in (None, "numpy") else TorchDevice(name)


# DLPack: the struct of dlpack.h, filled in for memory that the caller keeps alive.

class _DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class _DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _DLDevice), ("ndim", ctypes.c_int32), ("dtype", _DLDataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _DLManagedTensor(ctypes.Structure):
    pass


_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_DLManagedTensor))
_DLManagedTensor._fields_ = [("dl_tensor", _DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", _DELETER)]
_KEPT = {}  # by address of the struct: what must live until torch calls the deleter
_UNSIGNED = 1  # kDLUInt


@_DELETER
def _release(managed):
    _KEPT.pop(ctypes.addressof(managed.contents), None)


def tensor_at(torch, device, address, dtype, shape, strides, memory):
    """A tensor of `dtype` at `address`, which may lie outside of any allocation: nothing is read."""
    size = torch.empty(0, dtype=dtype).element_size()
    rank = len(shape)
    extents, steps = (ctypes.c_int64 * max(rank, 1))(*shape), (ctypes.c_int64 * max(rank, 1))(*strides)
    kind = {"cpu": 1, "cuda": 10 if getattr(torch.version, "hip", None) else 2}[device.type]
    # Codes travel as unsigned integers and get their dtype by a view: DLPack knows no E4M3 everywhere.
    managed = _DLManagedTensor(
        _DLTensor(address, _DLDevice(kind, device.index or 0), rank, _DLDataType(_UNSIGNED, 8 * size, 1), extents,
                  steps, 0), None, _release)
    _KEPT[ctypes.addressof(managed)] = (managed, extents, steps, memory)
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new_capsule(ctypes.addressof(managed), b"dltensor", None)
    return torch.utils.dlpack.from_dlpack(capsule).view(dtype)
