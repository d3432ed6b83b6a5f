"""What happens overnight: `sleep` once, look at what it did, take it back."""

from sleep_cycle.cycle import NAMES, Slept, sleep
from sleep_cycle.undo import Undone, history, show, undo

__all__ = ["NAMES", "Slept", "Undone", "history", "show", "sleep", "undo"]
