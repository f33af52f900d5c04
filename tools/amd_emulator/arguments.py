# SPDX-License-Identifier: Apache-2.0
"""The integers of an operation's struct (include/fp4cts/abi.h) by their names, from a call's tensors."""

# Of each tensor its axes, and the names of the strides that a call chooses. An axis with ? may be missing: then its
# extent is 1 and its stride 0.
TABLES = {"block_table": (["num_reqs", "max_blocks"], ["block_table_stride_elements"])}
PAGE_STRIDES = ["page_stride_bytes", "head_stride_bytes"]
TENSORS = {
    "qmul4": {"d": (["count"], [])},
    "encode_e4m3": {"d": (["count"], [])},
    "convert": {"d": (["count"], [])},
    "nvfp4_gather_index_k": {"kv_cache": (["num_blocks", "", ""], ["page_stride_bytes"]),
                             "out": (["out_pages", "", ""], []), **TABLES},
    "mxfp4_decode_pages": {"pages": (["num_pages", "num_heads?", ""], PAGE_STRIDES)},
    "mxfp4_gather_pages": {"pages": (["num_blocks", "num_heads?", ""], PAGE_STRIDES),
                           "out": (["out_pages", "?", "", ""], []), **TABLES},
    **{name: {"pages": (["num_blocks", "", "num_heads", ""], ["page_stride_bytes", "plane_stride_bytes", "head_stride_bytes"]),
              "out": (["out_pages", "", "", "", ""], []), **TABLES}
       for name in ("nvfp4_gather_kv", "nvfp4_gather_kv_swizzled")},
    "nvfp4_write_index_k": {"rows": (["num_tokens", ""], ["row_stride_bytes"]),
                            "kv_cache": (["num_blocks", "", ""], ["page_stride_bytes"])},
    "mxfp4_write_pages": {"rows": (["num_tokens", "num_heads?", ""], ["row_stride_bytes", "row_head_stride_bytes"]),
                          "pages": (["num_blocks", "num_heads?", ""], PAGE_STRIDES)},
}
DTYPES = {"F8_E4M3": 0, "F32": 1, "BF16": 2, "F16": 3, "F8_E5M2": 4, "E2M1": 5, "F8_E8M0": 6}
WIDTHS = {"U8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1, "E2M1": 1, "U16": 2, "F16": 2, "BF16": 2, "U32": 4, "I32": 4, "F32": 4, "I64": 8}


def named_integers(operation, problem):
    values = dict(problem.scalars)
    for name, (axes, strides) in TENSORS[operation].items():
        tensor = problem.tensors[name]
        extents, steps = list(tensor["shape"]), list(tensor["strides"])
        if len(extents) < len(axes):
            missing = next(place for place, axis in enumerate(axes) if axis.endswith("?"))
            extents.insert(missing, 1)
            steps.insert(missing, 0)
        values.update({axis.rstrip("?"): extent for axis, extent in zip(axes, extents)})
        width = WIDTHS[tensor["dtype"]]
        values.update({stride: step * (width if stride.endswith("_bytes") else 1)
                       for stride, step in zip(strides, steps)})
    values.update({f"{name}_dtype": DTYPES.get(tensor["dtype"]) for name, tensor in problem.tensors.items()})
    return values
