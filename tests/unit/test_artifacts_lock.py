"""The shipped lock, without touching the network."""

import re

from neomem.models import artifacts


def test_the_lock_names_the_server_the_browser_and_every_model():
    assert set(artifacts.lock()) == {
        "neo4j",
        "neo4j-browser",
        "e5-small-v2",
        "e5-small-v2-q",
        "bge-small-en-v1.5",
        "bge-small-en-v1.5-q",
        "all-MiniLM-L6-v2",
        "all-MiniLM-L6-v2-q",
    }


def test_every_entry_has_a_full_coordinate_checksum_and_size():
    for entries in artifacts.lock().values():
        for artifact in entries:
            assert re.fullmatch(r"[\w.-]+:[\w.-]+:[\w.-]+(:[\w.-]+)?", artifact.coordinate)
            assert re.fullmatch(r"[0-9a-f]{64}", artifact.sha256)
            assert artifact.size > 0


def test_a_classifier_is_part_of_the_file_name():
    artifact = artifacts.Artifact("io.netty:native:4.2:linux-x86_64", "", 0)

    assert artifact.path.as_posix() == "io/netty/native/4.2/native-4.2-linux-x86_64.jar"
