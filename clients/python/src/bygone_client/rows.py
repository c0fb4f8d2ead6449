"""The rows that the server answers with.

Each is the JSON of ``docs/wire.md`` as a dictionary, with every key it may have; those that are ``NotRequired`` do not
always stand there. Times are texts, dates where they fall on midnight UTC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Required

__all__ = [
    "Answer", "Certificate", "Checkpoint", "Context", "Cursor", "Difference", "Entity", "Evidence", "Fact", "Hit",
    "Learned", "Object", "Packet", "Problem", "Proof", "Receipt", "Row", "Space", "Statement", "Stats", "Turn",
]  # fmt: skip

Row = dict[str, Any]
"""A row of any verb."""

# `from` cannot be written as a field of a class.
_From = TypedDict("_From", {"from": str | None})
_MaybeFrom = TypedDict("_MaybeFrom", {"from": str | None}, total=False)


class Object(TypedDict, total=False):
    """What is said of the subject; one of these keys (and ``unit`` beside ``number``)."""

    entity: str
    text: str
    number: int | float
    unit: str
    bool: bool
    instant: str
    period: list[str | None]
    json: Any


class Statement(_MaybeFrom, total=False):
    """Something that somebody said at some time.

    ``subject``, ``predicate`` and, except in a denial of whatever holds, ``object`` have to be there.
    ``from`` and ``to`` (exclusive) say when it was so, ``known_at`` when it was said [default: when it is recorded].
    ``source`` ends in ``#`` and a number, the position among statements known at the same instant.
    """

    id: str
    subject: Required[str]
    predicate: Required[str]
    key: str
    object: Object
    polarity: Literal["affirm", "deny"]
    from_grain: str
    to: str | None
    to_grain: str
    sure_until: str | None
    sure_grain: str
    known_at: str
    authority: str
    modality: str
    confidence: float
    source: str
    session: str
    agent: str
    user: str
    asserter: str
    extractor: str
    zone: str
    span: list[int]
    derived_from: list[str]


class Segment(_From):
    """A part of a fact's time, and whether it was stated or is presumed."""

    to: str | None
    basis: Literal["stated", "presumed"]


class Fact(_From):
    """A period in which one object is believed of a subject.

    ``from`` and ``to`` are null where open, and ``unknown`` in a fact without dates; ``known_from`` is the first
    instant at which one of its supports was known, ``known_to`` the first at which it is believed no more. A history
    leaves out how sure it is of what it believed (``authority`` and ``confidence``), and what it went by.
    """

    id: str
    subject: str
    predicate: str
    key: str
    object: Object
    from_grain: str | None
    to: str | None
    to_grain: str | None
    ended_by: NotRequired[str | None]
    segments: list[Segment]
    known_from: str
    known_to: str | None
    last_confirmed: NotRequired[str]
    verdict: str
    authority: NotRequired[str]
    support: list[str]
    confidence: NotRequired[float]
    contested_by: NotRequired[list[Row]]
    broken_path: NotRequired[list[Row]]


class Evidence(TypedDict):
    """Words that an answer rests on; ``span`` are two byte positions in the turn.

    ``score`` stands beside sentences from which the answer was read.
    """

    session: str
    turn: int
    speaker: str | None
    time: str
    quote: str
    span: list[int] | None
    score: NotRequired[float]


class Reading(TypedDict):
    """How a question was understood."""

    valid: str
    known: str
    intent: str
    plan: str


class Answer(TypedDict):
    """An answer to a question in English.

    ``known`` is false where there is none; ``answer`` says so then. ``value`` is what a computed answer comes to, and
    ``understood`` has examples where the question was not understood (``reading`` is null then).
    """

    question: str
    reading: Reading | None
    answer: str
    known: bool
    facts: list[Fact]
    evidence: list[Evidence]
    value: NotRequired[Row | None]
    understood: NotRequired[list[str]]


class Difference(TypedDict):
    """What differs between two states; ``cause`` is the id of the statement that made it."""

    change: Literal["learned", "changed", "corrected", "ended", "reopened", "merged", "split"]
    fact: Fact | None
    was: Fact | None
    cause: str | None


class Learned(TypedDict):
    """When an object came to be believed (``known_from``), ceased to be (``until``) and was ``again``; and the turn."""

    subject: str
    predicate: str
    key: str
    object: Object
    known_from: str
    until: str | None
    again: str | None
    session: str
    turn: int
    speaker: str | None
    time: str
    quote: str
    assertion: str
    fact: Fact


class Proof(TypedDict):
    """Why a fact is believed: the fact, the reason for its verdict, and each statement with the turn that made it."""

    fact: Fact
    reason: str
    evidence: list[Row]


class Hit(TypedDict):
    """A turn or a fact that was found; ``score`` goes from 0 towards 1, and ``channels`` share it out."""

    rank: int
    score: float
    kind: Literal["turn", "fact"]
    id: str
    session: str
    turn: int
    speaker: str | None
    time: str
    text: str
    native_id: NotRequired[str | None]
    channels: dict[str, float]
    rerank: NotRequired[float]
    quote: NotRequired[str]
    fact: NotRequired[Fact]


class Context(TypedDict):
    """A block for a prompt, of at most ``budget`` tokens, and where it is from."""

    text: str
    tokens: int
    budget: int
    sources: list[Row]
    left_out: int
    repeated: int


class Entity(TypedDict):
    """An entity; its facts, and those that have it as their object, only where it is shown."""

    entity: str
    aliases: list[str]
    same_as: list[str]
    facts: NotRequired[list[Fact]]
    mentions: NotRequired[list[Fact]]


class Turn(TypedDict):
    """A turn of a session, word for word."""

    id: str
    session: str
    turn: int
    role: str
    speaker: str | None
    agent: str | None
    user: str | None
    time: str
    text: str


class Cursor(TypedDict):
    """What a cursor holds; ``seq`` is the commit that set it last, 0 where none did."""

    name: str
    value: str | None
    seq: int
    at: str | None
    by: str | None
    until: str | None
    expired: bool
    source_version: str | None


class Checkpoint(TypedDict):
    """A saved state, without the state; ``unchanged`` where the last one has the same bytes."""

    checkpoint: str
    state: str
    bytes: int
    parent: str | None
    label: str | None
    reason: str | None
    session: str
    by: str | None
    at: str
    pruned: str | None
    seq: int
    unchanged: NotRequired[bool]


class Packet(TypedDict):
    """Where an agent left off: ``text`` for its prompt, of at most ``budget`` tokens, and what it is made of."""

    agent: str | None
    chosen: str
    known: bool
    at: str
    text: str
    tokens: int
    budget: int
    run: Row | None
    session: str | None
    objective: list[Row]
    next: list[Row]
    todos: list[Row]
    progress: list[Row]
    decisions: list[Row]
    attempts: list[Row]
    failures: list[Row]
    calls: list[Row]
    inbox: list[Row]
    promises: list[Row]
    due: list[Row]
    agents: list[Row]
    changes: list[Row]
    compacted: list[Row]
    stale: list[Row]
    left_out: list[Any]


class Problem(TypedDict):
    """Why a record was not taken, or something that was noticed about it."""

    file: str
    offset: int
    line: int
    reason: str


class Receipt(TypedDict):
    """What became of every record: ``read = episodes + duplicates + skipped + quarantined``."""

    files: int
    read: int
    episodes: int
    duplicates: int
    skipped: int
    quarantined: int
    assertions: int
    redacted: int
    problems: list[Problem]
    seconds: float


class Certificate(TypedDict):
    """What was erased, and where its bytes were looked for afterwards (``found`` is where they still are)."""

    at: str
    seq: int
    episodes: int
    assertions: int
    entities: int
    checkpoints: int
    documents: int
    work_events: int
    quarantined: int
    said_elsewhere: int
    needles: int
    files_searched: int
    bytes_searched: int
    records_searched: int
    found: list[Any]


class Space(TypedDict):
    """A space, and how much is in it."""

    space: str
    episodes: int
    statements: int


class Stats(TypedDict):
    """How much there is in a space."""

    episodes: int
    assertions: int
    entities: int
    facts: int
    groups: int
    quarantined: int
    checkpoints: int
    checkpoint_pieces: int
    documents: int
    document_versions: int
    work_items: int
    work_sets: int
    language: str
    last_seq: int
    store_bytes: int
