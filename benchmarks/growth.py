"""How times grow with the size of a store."""

import math
from collections.abc import Sequence

import numpy as np


def growth(points: Sequence[tuple[int, float]]) -> float:
    """Return the power of n that times grow by: the slope of a line through their logarithms."""
    sizes, times = ([math.log(each[axis]) for each in points] for axis in (0, 1))
    slope, _ = np.polyfit(sizes, times, 1).tolist()
    return slope
