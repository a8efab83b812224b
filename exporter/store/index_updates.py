"""Update the index files of all target folders from the manifest.

An index is a file in a target folder that lists the folder's outputs with their hashes.
"""

from __future__ import annotations

from collections.abc import Collection

from exporter.store.indexes import Digests, Indexes
from exporter.store.manifest import Manifest


def update_indexes(
    manifest: Manifest,
    indexes: Indexes,
    homes: Collection[str],
    would_be_removed: Collection[str],
    *,
    dry: bool,
) -> tuple[str, ...]:
    """Write all indexes that differ from the manifest; return their paths.

    Args:
        manifest: The record of the files that the exporter wrote.
        indexes: The lists of outputs as they are on disk.
        homes: The folders that have an index, according to the project.
        would_be_removed: In a dry run, the existing files whose removal is planned.
        dry: Whether to write nothing, and only return the paths.

    Raises:
        StoreError: An index cannot be written.
    """
    marks = manifest.indexes
    if marks and not indexes_changed(manifest, indexes) and marks.keys() >= set(homes):
        return ()
    texts = None if dry else _amended_indexes(manifest, indexes, homes)
    signatures, alone = dict(manifest.marks.signatures), manifest.marks.alone
    if texts is None:
        texts, alone = _whole_indexes(manifest, indexes, homes, would_be_removed)
        signatures = {}
    written = []
    for home, text in texts.items():
        if indexes.differs(home, text):
            written.append(indexes.path(home))
            if not dry:
                indexes.write(home, text)
                if not text:
                    indexes.folder.remove_empty(home)
        signature = indexes.signature(home)
        if signature is not None:
            signatures[home] = signature
    if not dry and (signatures, alone) != (marks, manifest.marks.alone):
        manifest.mark_indexes(signatures, alone)
        manifest.flush()
    return tuple(written)


def indexes_changed(manifest: Manifest, indexes: Indexes) -> bool:
    """Return whether an index changed on disk since the manifest recorded it."""
    return any(indexes.signature(home) != mark for home, mark in manifest.indexes.items())


def all_homes(manifest: Manifest, homes: Collection[str]) -> list[str]:
    """Return the sorted folders that have an index, or had one earlier.

    These are `homes`, the present ones, and the folders that outputs in the manifest name.
    """
    remembered = {
        output.home for entry in manifest.entries.values() for output in entry.files if output.home
    }
    return sorted(remembered.union(homes))


def are_redundant(manifest: Manifest, indexes: Indexes, homes: Collection[str]) -> bool:
    """Return whether all indexes in `homes` list only files of the manifest.

    Then they need not be read.
    """
    return all(manifest.marks.is_redundant(home, indexes.signature(home)) for home in homes)


def _amended_indexes(
    manifest: Manifest, indexes: Indexes, homes: Collection[str]
) -> dict[str, bytes] | None:
    """Replace the lines of changed files in the indexes; keep other lines.

    Returns:
        The new texts of the changed indexes, by folder; None if whole texts must be made, because
        another program changed an index, or an index lists files that the manifest lacks.
    """
    known = manifest.marks.signatures.keys()
    if not known >= set(homes) or not are_redundant(manifest, indexes, known):
        return None
    changed: dict[str, dict[str, tuple[Digests, Digests | None]]] = {}
    for (home, path), digests in manifest.differences().items():
        changed.setdefault(home, {})[path] = digests
    texts = {}
    for home, differences in changed.items():
        text = indexes.amended(home, differences) if home in known else None
        if text is None:
            return None
        texts[home] = text
    return texts


def _whole_indexes(
    manifest: Manifest, indexes: Indexes, homes: Collection[str], would_be_removed: Collection[str]
) -> tuple[dict[str, bytes], frozenset[str]]:
    """Make the texts of all indexes anew from the manifest.

    In a dry run, files that `would_be_removed` are left out.

    Returns:
        The texts by folder, and the folders whose indexes list only files of the manifest.
    """
    outputs = [output for entry in manifest.entries.values() for output in entry.files]
    texts, alone = {}, set()
    for home in all_homes(manifest, homes):
        texts[home], only_ours = indexes.text(home, outputs, would_be_removed)
        if only_ours:
            alone.add(home)
    return texts, frozenset(alone)
