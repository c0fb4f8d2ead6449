"""What goes wrong, sorted by who can do something about it."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BadInput", "BadRequest", "BygoneError", "Conflict", "Forbidden", "NotFound", "Unauthorized", "Unavailable",
]  # fmt: skip


class BygoneError(Exception):
    """What a server refused, or could not do; by itself, a damaged store or a fault of the server.

    Attributes:
        code: what went wrong, in one word, such as ``refused`` or ``bad_request``.
        status: the HTTP status; 0 where no answer came.
        message: what went wrong, in a sentence.
        rows: what there is in spite of it, such as a receipt.
    """

    def __init__(self, code: str, message: str, status: int = 0, rows: list[dict[str, Any]] | None = None) -> None:
        super().__init__(code, message, status, rows)
        self.code = code
        self.status = status
        self.message = message
        self.rows: list[dict[str, Any]] = rows or []

    def __str__(self) -> str:
        return f"{self.message} ({self.code})" if self.message else self.code


class BadRequest(BygoneError):
    """It was asked for wrongly: an argument, a time, a query."""


class Unauthorized(BygoneError):
    """There is no key, or one that is unknown, revoked or has expired."""


class Forbidden(BygoneError):
    """The key does not open the space, or is not for this; or the server is asked by a name that it does not have."""


class NotFound(BygoneError):
    """There is no such verb."""


class Conflict(BygoneError):
    """A change was refused: something else is there than was expected."""


class BadInput(BygoneError):
    """What was given cannot be read; ``rows`` has the receipt, which says why in its ``problems``.

    Also where the space that is asked about does not exist: the first thing recorded makes it.
    """


class Unavailable(BygoneError):
    """The server cannot be reached, has too much to do, or was not done in time: ask again.

    Attributes:
        may_be_done: whether a change may have been made nevertheless.
        retry_after: how many seconds the server asks to wait, if it does.
    """

    may_be_done: bool = True
    retry_after: float | None = None


_OF_STATUS: dict[int, type[BygoneError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: BadRequest,
    408: Unavailable,
    409: Conflict,
    413: BadRequest,
    415: BadRequest,
    422: BadInput,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def of_status(status: int) -> type[BygoneError]:
    """Returns the class of what is answered with an HTTP status."""
    return _OF_STATUS.get(status, BygoneError)
