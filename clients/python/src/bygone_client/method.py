"""Methods that are written once and are both clients'.

A method says what is sent and what comes of the answers, and does not send:

* ``@once`` marks a generator that yields requests, is handed their replies and returns a result. Of a :class:`Client`
  it is a method that returns the result, of an :class:`AsyncClient` one whose result is awaited.
* ``@listed`` marks a function that returns the request for rows. Of a :class:`Client` it is a method that returns
  :class:`Rows`, of an :class:`AsyncClient` one that returns :class:`AsyncRows`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from .request import Reply, Request

if TYPE_CHECKING:
    from .client import AsyncClient, AsyncRows, Client, Rows

__all__ = ["Listing", "Steps", "listed", "once"]

P = ParamSpec("P")
T = TypeVar("T")

Steps = Generator[Request, Reply, T]
"""Requests one after the other, and what comes of their replies."""


@dataclass(frozen=True)
class Listing(Generic[T]):
    """The request for rows; they are sent while they are made, or else page by page."""

    request: Request
    as_lines: bool = False


class once(Generic[P, T]):
    """A method that has a result."""

    def __init__(self, plan: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, client: None, owner: Any = None) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, client: Client, owner: Any = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: Any = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Any, owner: Any = None) -> Any:
        if client is None:
            return self._plan
        plan = self._plan.__get__(client)
        return functools.wraps(plan)(lambda *given, **named: client._done(plan(*given, **named)))


class listed(Generic[P, T]):
    """A method that has rows."""

    def __init__(self, plan: Callable[Concatenate[Any, P], Listing[T]]) -> None:
        self._plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, client: None, owner: Any = None) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, client: Client, owner: Any = None) -> Callable[P, Rows[T]]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: Any = None) -> Callable[P, AsyncRows[T]]: ...
    def __get__(self, client: Any, owner: Any = None) -> Any:
        if client is None:
            return self._plan
        plan = self._plan.__get__(client)
        return functools.wraps(plan)(lambda *given, **named: client._listed(plan(*given, **named)))
