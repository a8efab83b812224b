"""Write surveys as JSON reports, and read them again.

A report of one version of a generator can later be compared with another version.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from exporter.explore.ranges import Overlap, Survey, common_ranges, counts
from exporter.model.errors import ParameterError


def survey_document(surveys: Sequence[Survey], overlap: Overlap | None) -> dict[str, Any]:
    """Return surveys as JSON data, which `reported_survey` can read again.

    `overlap` is how far two surveyed specs overlap; None for one spec.
    """
    ranges = common_ranges(surveys)
    specs = [
        {
            "spec": survey.title,
            "tried": survey.tried,
            "failed": survey.failed,
            "reason": survey.first_failure or None,
            "ranges": {
                name: list(ends) for name, ends in zip(survey.metrics, survey.ranges, strict=False)
            },
            "counts": counts(survey.places, ranges).tolist(),
            "values": {
                name: survey.places[:, axis].tolist() for axis, name in enumerate(survey.metrics)
            },
        }
        for survey in surveys
    ]
    document: dict[str, Any] = {
        "tried": sum(survey.tried for survey in surveys),
        "kept": 0,
        "levels": [],
        "metrics": list(surveys[0].metrics),
        "ranges": [list(ends) for ends in ranges],
        "specs": specs,
    }
    if overlap is not None:
        document["compared"] = overlap.document()
    return document


def reported_survey(data: bytes, title: str, metrics: Sequence[str]) -> Survey | None:
    """Return the survey in a JSON report; None if `data` is no such report.

    Args:
        data: The bytes of a file.
        title: The title of the levels in a picture.
        metrics: The two metrics that the survey must have, in order.

    Raises:
        ParameterError: The report has other metrics, several specs, or broken values.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not {"metrics", "specs", "ranges"} <= document.keys():
        return None
    if document["metrics"] != list(metrics):
        expected = (
            ",".join(map(str, document["metrics"])) if _are_texts(document["metrics"]) else ""
        )
        way = f" (--spread {expected})" if expected else ""
        raise ParameterError(f"the report was made with other metrics{way}")
    specs = document["specs"]
    if not isinstance(specs, list) or len(specs) != 1 or not isinstance(specs[0], dict):
        raise ParameterError("the report is about several specs (compare with a report of one)")
    values, attempted = specs[0].get("values"), specs[0].get("tried")
    columns = [values.get(name) if isinstance(values, dict) else None for name in metrics]
    if not all(map(_are_numbers, columns)) or len({len(column or ()) for column in columns}) != 1:
        raise ParameterError("the report has no valid values of these metrics (make it again)")
    places = np.array(columns, np.float64).T.reshape(-1, 2)
    if type(attempted) is not int or attempted < len(places):
        raise ParameterError(
            "the report lacks the number of levels that were tried (make it again)"
        )
    reason = specs[0].get("reason")
    failure = reason if isinstance(reason, str) else ""
    return Survey(
        title, (metrics[0], metrics[1]), places, attempted, attempted - len(places), failure
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_numbers(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    try:
        return all(type(item) in (int, float) and math.isfinite(item) for item in value)
    except OverflowError:  # an integer of hundreds of digits
        return False
