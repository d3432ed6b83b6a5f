from neomem.service import given
from neomem.service.given import Given


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_knows_what_it_was_given_and_others_do_not():
    known = Given(60)
    known.add(("ada", "s"), ["1", "2"])
    known.add(("ada", "s"), ["3"])

    assert known.of(("ada", "s")) == {"1", "2", "3"}
    assert known.of(("ada", "t")) == set()
    assert known.of(("bob", "s")) == set()


def test_it_is_forgotten_on_request_and_after_a_while_without_more():
    clock = Clock()
    known = Given(60, clock)
    known.add(("ada", "old"), ["1"])
    known.add(("ada", "kept"), ["1"])
    clock.now = 50
    known.add(("ada", "kept"), ["2"])
    clock.now = 70

    assert known.of(("ada", "old")) == set()
    assert known.of(("ada", "kept")) == {"1", "2"}
    known.forget(("ada", "kept"))
    known.forget(("ada", "never seen"))
    assert known.of(("ada", "kept")) == set()


def test_neither_sessions_nor_ids_grow_without_bounds(monkeypatch):
    monkeypatch.setattr(given, "_MOST_SESSIONS", 3)
    monkeypatch.setattr(given, "_MOST_IDS", 3)
    known = Given(60)
    for number in range(5):
        known.add(("ada", f"s{number}"), [str(n) for n in range(number + 1)])

    assert known.of(("ada", "s1")) == set()
    assert known.of(("ada", "s4")) == {"2", "3", "4"}
