"""What can be asked of a server: for each method, what is sent and what is made of the answer."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from .method import Listing, Steps, listed, once
from .request import Address, Reply, request
from .rows import (
    Answer,
    Certificate,
    Checkpoint,
    Context,
    Cursor,
    Difference,
    Entity,
    Fact,
    Hit,
    Learned,
    Packet,
    Proof,
    Receipt,
    Row,
    Space,
    Statement,
    Stats,
    Turn,
)
from .times import Span, Time

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["Acting", "Verbs", "View"]


class View(TypedDict, total=False):
    """What is seen; every method that reads takes it.

    Args:
        valid: when it was so: a time, ``"now"``, two times, or ``"all"`` [default: now; all in order of time].
        known: what was known by then; a date means its end [default: everything].
        recorded: what was recorded by then: the number of a commit, or a time [default: everything].
        by_agent: only what was said in sessions that this agent took part in.
        by_user: only what was said in sessions that this user took part in.
        in_session: only what was said in this session.
        history: also what is no longer believed.
        planned: also plans.
    """

    valid: Span | None
    known: Span | None
    recorded: Time | int | None
    by_agent: str | None
    by_user: str | None
    in_session: str | None
    history: bool
    planned: bool


class Acting(TypedDict, total=False):
    """Who does something; every method that changes an agent's state takes it.

    Args:
        agent: the agent that acts.
        user: the user that it acts for.
        session: the session that it belongs to [default: one of the agent's own].
        epoch: which run of the agent acts; what a run sends that is over raises :class:`Conflict`.
        keep_secrets: record keys, tokens and passwords, which are otherwise masked.
        idempotency_key: tells this request from every other one: sent again, it is not done again, and the first result
            is returned [default: a new one, with which the client itself sends it again].
    """

    agent: str | None
    user: str | None
    session: str | None
    epoch: int | None
    keep_secrets: bool
    idempotency_key: str | None


class Verbs:
    """The methods of both clients.

    Those that return rows can be gone through with ``for`` (``async for``), page by page; of an ``AsyncClient``, all
    others are awaited.

    Every one of them raises, beside what it says itself, :class:`BadRequest` where an argument is not understood,
    :class:`BadInput` where there is no such space yet, :class:`Unauthorized` and :class:`Forbidden` where the key does
    not do, and :class:`Unavailable` where the server cannot be reached or has no time.
    """

    _address: Address
    _is_owner = True

    @property
    def space_name(self) -> str:
        """The space that is asked and written to."""
        return self._address.space

    def space(self, name: str) -> Self:
        """Returns a client of another space, on the same connections; they are closed with this client."""
        other = copy.copy(self)
        other._address = replace(self._address, space=name)
        other._is_owner = False
        return other

    @once
    def ask(self, question: str, **view: Unpack[View]) -> Steps[Answer]:
        """Answers a question in plain English.

        An answer whose ``known`` is false says in ``answer`` why there is none.
        """
        reply = yield request("ask", {"question": question, **view}, reads=True)
        return cast(Answer, reply.row)

    @listed
    def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Row | None = None,
        **view: Unpack[View],
    ) -> Listing[Fact]:
        """Lists what is believed, by subject, predicate, key, start and object.

        Args:
            subject: only facts about this entity.
            predicate: only facts of this predicate.
            object: only facts with this object: an entity, a text, or as on the wire, such as ``{"number": 3}``.
        """
        return _listing("facts", {"subject": subject, "predicate": predicate, "object": object, **view})

    @listed
    def timeline(self, entity: str, **view: Unpack[View]) -> Listing[Fact]:
        """Lists the facts that mention an entity in the order in which they began, those without dates last."""
        return _listing("timeline", {"entity": entity, **view})

    @listed
    def history(self, entity: str, predicate: str | None = None, **view: Unpack[View]) -> Listing[Fact]:
        """Lists everything that was ever believed of an entity, with when it was (``known_from``, ``known_to``)."""
        return _listing("history", {"entity": entity, "predicate": predicate, **view})

    @listed
    def diff(self, about: str | None = None, **view: Unpack[View]) -> Listing[Difference]:
        """Lists what differs between two states; ``known`` or ``valid`` has to be two times, ``(A, B)`` or ``"A..B"``.

        Args:
            about: only what mentions this entity.
        """
        return _listing("diff", {"about": about, **view})

    @once
    def why(self, fact_id: str, **view: Unpack[View]) -> Steps[Proof | None]:
        """Returns the proof of a fact, down to the quoted turns; ``None`` where the view has no such fact.

        Args:
            fact_id: the fact, ``f:…``, or a statement, ``a:…``, which means the fact that rests on it; as many digits
                as tell it from all others.
        """
        reply = yield request("why", {"fact_id": fact_id, **view}, reads=True)
        return cast(Proof, reply.row) if reply.yes else None

    @listed
    def learned(
        self, entity: str, predicate: str, object: str | Row | None = None, **view: Unpack[View]
    ) -> Listing[Learned]:
        """Lists when each object of a predicate came to be believed, and from which turn."""
        return _listing("learned", {"entity": entity, "predicate": predicate, "object": object, **view})

    @listed
    def search(
        self,
        text: str,
        *,
        k: int | None = None,
        kind: Literal["turn", "fact"] | None = None,
        diverse: bool = False,
        **view: Unpack[View],
    ) -> Listing[Hit]:
        """Lists the turns and facts that are about a text, the best first.

        Args:
            k: how many.
            kind: only turns, or only facts.
            diverse: what says something new before what says the same again.
        """
        return _listing("search", {"text": text, "k": k, "kind": kind, "diverse": diverse, **view})

    @once
    def context(self, text: str, budget: int | None = None, **view: Unpack[View]) -> Steps[Context]:
        """Returns a block for a prompt, with dates and sources; its ``text`` is empty where nothing is remembered.

        Args:
            text: what the prompt is about.
            budget: the most tokens that the block may have.
        """
        reply = yield request("context", {"text": text, "budget": budget, **view}, reads=True)
        return cast(Context, reply.row)

    @listed
    def query(self, query: str, parameters: Mapping[str, Any] | None = None, **view: Unpack[View]) -> Listing[Row]:
        """Lists what a query of the query language returns, one key for each column.

        Args:
            query: the query, such as ``MATCH (p)-[:lives_in]->(c) WHERE c = $c RETURN p``.
            parameters: the value of each ``$name`` in it, as JSON has them; an entity is a text.
        """
        given = [f"{name}={json.dumps(value)}" for name, value in (parameters or {}).items()]
        return _listing("query", {"query": query, "param": given or None, **view})

    @listed
    def entities(self, prefix: str | None = None, **view: Unpack[View]) -> Listing[Entity]:
        """Lists the entities, by name.

        Args:
            prefix: only those one of whose names starts so; ``type:`` or ``type:Pre`` for those of one type.
        """
        return _listing("entities", {"prefix": prefix, **view})

    @once
    def show(self, entity: str, **view: Unpack[View]) -> Steps[Entity | None]:
        """Returns what is known of an entity; ``None`` where nothing has that name."""
        reply = yield request("show", {"entity": entity, **view}, reads=True)
        return cast(Entity, reply.row) if reply.yes else None

    @listed
    def turns(self, session: str, first: int, last: int | None = None, **view: Unpack[View]) -> Listing[Turn]:
        """Lists the turns of a session from one position to another, both included, word for word."""
        turns = f"{session}#{first}" if last is None else f"{session}#{first}..{last}"
        return _listing("show", {"entity": turns, **view})

    @once
    def assert_statements(
        self, statements: Iterable[Statement | Mapping[str, Any]], *, keep_secrets: bool = False
    ) -> Steps[Receipt]:
        """Records statements.

        What cannot be read is left out, and the receipt's ``problems`` say why; the rest is recorded.
        A statement with ``known_at`` and ``source`` is the same however often it is sent; one without is known when it
        is read, so that sending it twice makes two.

        Raises:
            BadInput: where none of them can be read; ``rows`` has the receipt.
        """
        lines = (json.dumps(statement, allow_nan=False, ensure_ascii=False) for statement in statements)
        body = "".join(f"{line}\n" for line in lines).encode()
        reply = yield request("assert", {"keep_secrets": keep_secrets}, body=body)
        return cast(Receipt, reply.row)

    @once
    def ingest(
        self,
        transcript: bytes | str | os.PathLike[str],
        format: str | None = None,
        *,
        dry_run: bool = False,
        keep_secrets: bool = False,
    ) -> Steps[Receipt]:
        """Records the turns of a transcript, and what they state.

        Args:
            transcript: the transcript itself, or the path of its file as a ``pathlib.Path``. A ``str`` is no path.
            format: its format, such as ``claude-code`` or ``openai`` [default: told by its content].
            dry_run: read it and say what would be recorded.

        Raises:
            BadInput: where it is in no known format, or nothing of it can be read; ``rows`` has the receipt.
            OSError: where the file cannot be read.
        """
        given = {"format": format, "dry_run": dry_run, "keep_secrets": keep_secrets}
        reply = yield request("ingest", given, body=_bytes(transcript))
        return cast(Receipt, reply.row)

    @once
    def cursor_get(self, name: str, **view: Unpack[View]) -> Steps[Cursor]:
        """Returns what a cursor holds; its ``value`` is ``None`` where it holds nothing."""
        reply = yield request("cursor/get", {"name": name, **view}, reads=True)
        return cast(Cursor, reply.row)

    @once
    def cursor_set(
        self,
        name: str,
        value: str,
        *,
        expect: str | None = None,
        expect_seq: int | None = None,
        ttl: str | None = None,
        source_version: str | None = None,
        **acting: Unpack[Acting],
    ) -> Steps[Cursor]:
        """Sets a cursor, and returns it.

        Args:
            value: what it is to hold.
            expect: only if it holds this; an empty text: only if it holds nothing.
            expect_seq: only if this commit set it last (a cursor's ``seq``); 0: only if it was never set.
            ttl: how long it holds it, such as ``90s``, ``15m``, ``2h`` or ``3d`` [default: until it is set again].
            source_version: the version of what the value was read from.

        Raises:
            Conflict: where something else is there than was expected.
        """
        given = {
            "name": name,
            "value": value,
            "expect": expect,
            "expect_seq": expect_seq,
            "ttl": ttl,
            "source_version": source_version,
        }
        reply = yield request("cursor/set", {**given, **acting})
        return cast(Cursor, reply.row)

    @once
    def checkpoint_save(
        self,
        state: bytes | str,
        *,
        label: str | None = None,
        reason: str | None = None,
        parent: str | None = None,
        **acting: Unpack[Acting],
    ) -> Steps[Checkpoint]:
        """Saves a state, and returns the checkpoint.

        Args:
            state: the state; a ``str`` is saved in UTF-8.
            label: a name for it.
            reason: why it is saved.
            parent: the checkpoint that it goes on from [default: the agent's last one].

        Raises:
            Conflict: where the run of the agent is over.
        """
        given = {"label": label, "reason": reason, "parent": parent, **acting}
        reply = yield request("checkpoint/save", given, body=_bytes(state))
        return cast(Checkpoint, reply.row)

    @once
    def checkpoint_restore(
        self, id: str | None = None, *, agent: str | None = None, **view: Unpack[View]
    ) -> Steps[bytes | None]:
        """Returns a state that was saved; ``None`` where there is none.

        Args:
            id: the checkpoint, or its first digits [default: the last one of the agent that the view sees].
            agent: whose last checkpoint is meant.
        """
        given = {"id": id, "agent": agent, **view}
        shown = yield request("checkpoint/show", given, reads=True)
        if not shown.yes or shown.row["pruned"] is not None:
            return None
        # The same one, whatever is saved meanwhile.
        reply = yield request("checkpoint/restore", {"id": shown.row["checkpoint"], **view}, reads=True)
        return reply.content

    @once
    def resume(self, agent: str | None = None, budget: int | None = None, **view: Unpack[View]) -> Steps[Packet]:
        """Returns where an agent left off.

        Args:
            agent: the agent [default: the one that took part last].
            budget: the most tokens that the packet's ``text`` may have.
        """
        reply = yield request("resume", {"agent": agent, "budget": budget, **view}, reads=True)
        return cast(Packet, reply.row)

    @once
    def erase(
        self, *, session: str | None = None, user: str | None = None, episode: str | None = None
    ) -> Steps[Certificate]:
        """Destroys what was recorded, and returns what was destroyed and where its bytes were looked for.

        Args:
            session: every turn of this session.
            user: every turn of this user.
            episode: one turn: ``e:…``, or ``session#position``. Exactly one of the three is given.

        Raises:
            Conflict: where nothing of the kind is there.
        """
        reply = yield request("erase", {"session": session, "user": user, "episode": episode})
        return cast(Certificate, reply.row)

    @listed
    def spaces(self) -> Listing[Space]:
        """Lists the spaces that the key opens."""
        return _listing("spaces", {})

    @once
    def stats(self) -> Steps[Stats]:
        """Returns how much there is in the space."""
        reply = yield request("stats", {}, reads=True)
        return cast(Stats, reply.row)

    @listed
    def export(self, *, statements: bool = False) -> Listing[Row]:
        """Lists everything that was recorded, row by row while it is sent; ``call("import", input=…)`` reads it back.

        Args:
            statements: only statements, without work-sets, checkpoints and documents.
        """
        given = request("export", {"statements": statements}, reads=True)
        return Listing(given, as_lines=True)

    @once
    def call(self, verb: str, /, **arguments: Any) -> Steps[Reply]:
        """Does any verb, and returns the answer: its rows, or the first page of them, and what is said beside it.

        Args:
            verb: such as ``work/add``; ``/openapi.json`` of the server lists them.
            arguments: what it takes, as there; ``from_`` stands for ``from``, ``input`` is what a command would read.

        Raises:
            NotFound: where there is no such verb.
            Conflict: where a change is refused.
        """
        reply = yield request(verb, arguments)
        return reply

    @listed
    def rows(self, verb: str, /, **arguments: Any) -> Listing[Row]:
        """Lists what any verb that only reads answers, page after page; it takes what :meth:`call` takes."""
        return _listing(verb, arguments)


def _listing(verb: str, arguments: Mapping[str, Any]) -> Listing[Any]:
    return Listing(request(verb, arguments, reads=True))


def _bytes(given: bytes | str | os.PathLike[str]) -> bytes:
    if isinstance(given, str):
        return given.encode()
    return given if isinstance(given, bytes) else Path(given).read_bytes()
