"""A model's weights in eight bits, by blocks of 64 with a scale each.

To read a dozen tokens is to go through all weights once: a question's vector takes half the time,
and its cosine to the one by the published weights is .9997 (docs/models.md). Many tokens at once
gain nothing by it, so passages are read with the weights as they were published.
"""

import logging
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

_BLOCK = 64
_MIDDLE = 128
"""What stands for nought, since numbers are kept without a sign."""
_WHOLE_NUMBERS = 4
"""onnxruntime's word for multiplying tokens as whole numbers too, with scales of their own."""


def beside(model: Path) -> Path:
    """Return the model with such weights, made anew where it is missing or older.

    Where nothing can be written, it is the model itself.
    """
    light = model.with_stem(f"{model.stem}-8")
    try:
        if not light.is_file() or light.stat().st_mtime_ns < model.stat().st_mtime_ns:
            _write(model, light)
    except OSError as error:
        log.warning("questions are read with full weights", extra={"error": str(error)})
        return model
    return light


def _write(source: Path, target: Path) -> None:
    """Write beside the place and move, so that two processes at once do each other no harm."""
    import onnx as library

    onnx: Any = library
    model = onnx.load(source)
    _lighten(model, onnx)
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    os.close(handle)
    try:
        onnx.save(model, draft)
        Path(draft).replace(target)
    finally:
        Path(draft).unlink(missing_ok=True)


def _lighten(model: Any, onnx: Any) -> None:  # noqa: ANN401 - the library's own types
    """Put constants that are multiplied by into eight bits."""
    graph = model.graph
    constants = {each.name: each for each in graph.initializer if len(each.dims) == 2}  # noqa: PLR2004
    for node in graph.node:
        weights = constants.get(node.input[1]) if node.op_type == "MatMul" else None
        if weights is None:
            continue
        rows, columns = weights.dims
        names = [f"{weights.name}.numbers", f"{weights.name}.scales"]
        graph.initializer.remove(weights)
        graph.initializer.extend(
            onnx.numpy_helper.from_array(array, name)
            for array, name in zip(packed(onnx.numpy_helper.to_array(weights)), names, strict=True)
        )
        node.CopyFrom(
            onnx.helper.make_node(
                "MatMulNBits",
                [node.input[0], *names],
                list(node.output),
                node.name,
                domain="com.microsoft",
                K=rows,
                N=columns,
                bits=8,
                block_size=_BLOCK,
                accuracy_level=_WHOLE_NUMBERS,
            )
        )
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))


def packed(weights: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a matrix's columns as blocks of whole numbers, and what each is multiplied by."""
    rows, columns = weights.shape
    blocks = -(-rows // _BLOCK)
    padded = np.zeros((blocks * _BLOCK, columns), np.float32)
    padded[:rows] = weights
    each = padded.T.reshape(columns, blocks, _BLOCK)
    scales = np.abs(each).max(axis=2) / (_MIDDLE - 1)
    numbers = np.rint(each / np.where(scales, scales, 1.0)[..., None]) + _MIDDLE
    return numbers.astype(np.uint8), scales.astype(np.float32)
