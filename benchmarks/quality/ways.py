"""The ways neomem is asked in: as it is, ranked as by other systems, and with one part missing."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from neomem.engine import Engine
from neomem.model import Preset
from neomem.recall import scoring
from neomem.recall.evidence import Voice


@dataclass(frozen=True)
class Way:
    """How a question is asked: fields of a request, settings of recall, a voice that is silent."""

    wanted: dict[str, Any] = field(default_factory=dict[str, Any])
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    silent: str | None = None

    def engine(self, engine: Engine) -> Engine:
        """Return an engine with these settings."""
        recall = engine.config.recall.model_copy(update=self.settings)
        return replace(engine, config=engine.config.model_copy(update={"recall": recall}))


OURS = {"neomem": Way()}
PRESETS = {name: Way({"preset": name}) for name in get_args(Preset) if name != "neomem"}
ABLATIONS = {
    "first pass alone": Way({"fusion": "confidence_rrf"}),
    "plain RRF": Way({"fusion": "rrf"}),
    "two pass of the reference": Way({"fusion": "two_pass"}),
    "without vector": Way({"signals": ("bm25", "graph")}),
    "without bm25": Way({"signals": ("vector", "graph")}),
    "without graph": Way({"signals": ("vector", "bm25")}),
    **{f"without voice {name}": Way(silent=name) for name in scoring.SHARES},
    "without updates first": Way(settings={"update_reach": 0.0}),
    "recency .1": Way(settings={"recency": 0.1}),
    "diversity .7": Way({"diversity": 0.7}),
    "neighbours along": Way({"expand": 3}),
    "300 candidates": Way(settings={"candidates": 300}),
}


@contextmanager
def silenced(name: str | None) -> Generator[None]:
    """Let a voice say nothing, wherever it would be heard."""
    shared = scoring.shared

    def without(each: Voice) -> Voice:
        return replace(each, hits=()) if each.name == name else shared(each)

    scoring.shared = without
    try:
        yield
    finally:
        scoring.shared = shared
