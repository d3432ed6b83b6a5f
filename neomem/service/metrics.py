"""What the service has done, in figures: counts, latencies, failures of signals."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import psutil

_KEPT = 2048
"""Latencies of an operation that percentiles are taken of."""
QUANTILES = (0.5, 0.95, 0.99)


@dataclass(slots=True)
class Latency:
    """How long one operation took: all of it summed, the last ones kept."""

    count: int = 0
    seconds: float = 0.0
    last: deque[float] = field(default_factory=lambda: deque[float](maxlen=_KEPT))

    def add(self, seconds: float) -> None:
        """Note one."""
        self.count += 1
        self.seconds += seconds
        self.last.append(seconds)

    def quantile(self, share: float) -> float:
        """Return the time within which such a share of the last ones was done."""
        ranked = sorted(self.last)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


class Metrics:
    """Counts since the service was started."""

    def __init__(self) -> None:
        self.started = time.time()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.refused: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.captured: Counter[str] = Counter()
        self.latencies: dict[str, Latency] = {}
        self._gauges: dict[str, Callable[[], float]] = {}
        self._process = psutil.Process()

    def gauge(self, name: str, look: Callable[[], float]) -> None:
        """Have a figure looked at whenever the others are read."""
        self._gauges[name] = look

    def request(self, operation: str, status: int, seconds: float) -> None:
        """Note a request and its end."""
        self.requests[operation, status] += 1
        self.latencies.setdefault(operation, Latency()).add(seconds)

    def answered(self, missing: Iterable[str]) -> None:
        """Note which signals an answer had to do without."""
        self.missing.update(list(missing))

    def stored(self, outcomes: Mapping[str, int]) -> None:
        """Note what became of texts."""
        self.captured.update(outcomes)

    @property
    def uptime(self) -> float:
        """Seconds since the start."""
        return time.time() - self.started

    def prometheus(self) -> str:
        """Return all figures in the text form Prometheus reads."""
        now = {
            **{name: look() for name, look in self._gauges.items()},
            "uptime_seconds": round(self.uptime, 3),
            "resident_memory_bytes": self._process.memory_info().rss,
        }
        families = [
            _family("requests_total", "counter", "Requests by operation and status.", (
                ({"operation": name, "status": str(status)}, count)
                for (name, status), count in sorted(self.requests.items())
            )),
            _family("refused_total", "counter", "Requests turned away at the door.", (
                ({"reason": name}, count) for name, count in sorted(self.refused.items())
            )),
            _family("signal_failures_total", "counter", "Answers that lack a signal.", (
                ({"signal": name}, count) for name, count in sorted(self.missing.items())
            )),
            _family("captured_total", "counter", "Texts by what became of them.", (
                ({"outcome": name}, count) for name, count in sorted(self.captured.items())
            )),
            self._summaries(),
            *(_family(name, "gauge", "", [({}, value)]) for name, value in now.items()),
        ]  # fmt: skip
        return "".join(f"{line}\n" for family in families for line in family)

    def _summaries(self) -> list[str]:
        name = "request_seconds"
        lines = _family(name, "summary", "Time of the last requests of an operation.", (
            ({"operation": operation, "quantile": str(share)}, round(each.quantile(share), 6))
            for operation, each in sorted(self.latencies.items())
            for share in QUANTILES
        ))  # fmt: skip
        for operation, each in sorted(self.latencies.items()):
            mark = _labels({"operation": operation})
            lines += [
                f"neomem_{name}_sum{mark} {each.seconds:.6f}",
                f"neomem_{name}_count{mark} {each.count}",
            ]
        return lines


def _family(
    name: str, kind: str, what: str, samples: Iterable[tuple[Mapping[str, str], float]]
) -> list[str]:
    head = [f"# HELP neomem_{name} {what}"] if what else []
    return [*head, f"# TYPE neomem_{name} {kind}", *_lines(name, samples)]


def _lines(name: str, samples: Iterable[tuple[Mapping[str, str], float]]) -> Iterator[str]:
    for labels, value in samples:
        yield f"neomem_{name}{_labels(labels)} {value}"


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    escaped = {k: v.replace("\\", "\\\\").replace('"', '\\"') for k, v in labels.items()}
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped.items()) + "}"
