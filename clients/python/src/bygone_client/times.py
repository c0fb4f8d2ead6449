"""How times are given to the server."""

from __future__ import annotations

from datetime import date, datetime
from typing import TypeAlias

__all__ = ["Span", "Time"]

Time: TypeAlias = str | date
"""A text in RFC 3339 or a date as coarse as it is meant (``2024``, ``2024-03``, ``2024-03-01``); a ``date``; or a
``datetime`` that knows its zone."""

Span: TypeAlias = Time | tuple[Time, Time]
"""A time, or two: from the first up to the second. As a text ``A..B``; some verbs also take ``now`` and ``all``."""


def text_of(span: Span) -> str:
    """Returns a time, or two, as the server reads it.

    Raises:
        ValueError: where a ``datetime`` has no zone, so that nobody can tell which instant it is.
    """
    if isinstance(span, tuple):
        first, second = span
        return f"{text_of(first)}..{text_of(second)}"
    if isinstance(span, datetime) and span.utcoffset() is None:
        raise ValueError(f"{span!r} has no zone: expected a datetime with tzinfo, such as timezone.utc")
    return span if isinstance(span, str) else span.isoformat()
