import subprocess
import sys
import time

import psutil

from neomem.store import detached


def test_a_process_runs_in_its_folder_and_talks_into_its_file(tmp_path):
    script = "import os; print(os.getcwd(), 'NEOMEM_SECRET' in os.environ)"

    pid = detached.start([sys.executable, "-c", script], tmp_path, tmp_path / "talk")
    while psutil.pid_exists(pid):
        detached.collect(pid)
        time.sleep(0.01)

    assert (tmp_path / "talk").read_text().split() == [str(tmp_path), "False"]


def test_a_process_can_be_recognised_as_soon_as_it_is_started(tmp_path):
    for _ in range(30):
        pid = detached.start(["sleep", "20"], tmp_path, tmp_path / "talk")
        seen = psutil.Process(pid).cmdline()
        psutil.Process(pid).kill()

        assert seen == ["sleep", "20"]


def test_a_command_that_ends_at_once_is_no_trouble(tmp_path):
    for _ in range(30):
        assert detached.start(["true"], tmp_path, tmp_path / "talk")


def test_other_children_of_the_program_are_left_to_it():
    child = subprocess.Popen([sys.executable, "-c", "raise SystemExit(7)"])
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)

    detached.collect(child.pid)

    assert child.wait() == 7
