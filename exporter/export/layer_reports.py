"""Describe layers in the export report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.build.world_certificates import WorldCertificate
    from exporter.model.level import Certificate, Layer


def layer_report(layer: Layer) -> dict[str, Any]:
    """Return the facts about `layer` as JSON data for the export report."""
    certificate = layer.certificate
    return {
        "generator": layer.generator,
        "version": layer.version,
        "complete": layer.complete,
        "certificate": None if certificate is None else certificate_report(certificate),
        "report": dict(layer.report),
    }


def certificate_report(certificate: Certificate | WorldCertificate) -> dict[str, Any]:
    """Return the facts about a layer's walkable cells as JSON data.

    The certificate states, for example, how many there are and whether all are connected.
    """
    return {
        "connected": certificate.connected,
        "regions_before": certificate.regions_before,
        "regions_after": certificate.regions_after,
        "cells_carved": certificate.cells_carved,
        "floor": certificate.floor,
        "cells": certificate.cells,
        "farthest": certificate.farthest,
        "start": list(certificate.start) if certificate.start else None,
        "dead_ends": certificate.dead_ends,
        "chokes": certificate.chokes,
    }
