"""Rows have the keys that their types say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from conftest import STATEMENTS

from bygone_client import Client, rows


def check(kind: Any, *given: Mapping[str, Any]) -> None:
    """Checks that rows have every key of their type that always stands there, and none that it does not name."""
    assert given, kind
    named = {key: getattr(note, "__forward_arg__", str(note)) for key, note in kind.__annotations__.items()}
    always = {key for key, note in named.items() if "NotRequired" not in note}
    for row in given:
        assert always <= row.keys() <= named.keys(), (kind.__name__, always ^ row.keys())


def check_all(kind: Any, given: Iterable[Mapping[str, Any]]) -> None:
    check(kind, *given)


def test_what_is_asked(client: Client) -> None:
    client.ingest('[{"role":"user","content":"I moved to Rome in May 2022 with Anna."}]', "openai")
    facts = client.facts(valid="all", history=True).all()
    check_all(rows.Fact, [*facts, *client.timeline("Anna"), *client.history("Anna")])
    check_all(rows.Segment, (segment for fact in facts for segment in fact["segments"]))
    questions = (
        "Where does Anna live?",
        "Where does Zed live?",
        "blah",
        "What about Rome?",
        "How long has Anna lived in Porto?",
    )
    answers = [client.ask(question) for question in questions]
    check(rows.Answer, *answers)
    check_all(rows.Reading, (answer["reading"] for answer in answers if answer["reading"]))
    check_all(rows.Evidence, (evidence for answer in answers for evidence in answer["evidence"]))
    check_all(rows.Difference, client.diff(known=("2023-05", "2024-05")))
    check_all(rows.Learned, client.learned("Anna", "lives_in"))
    proof = client.why(facts[0]["id"])
    assert proof is not None
    check(rows.Proof, proof)
    hits = client.search("Rome, Porto").all()
    assert {hit["kind"] for hit in hits} == {"turn", "fact"}
    check(rows.Hit, *hits)
    check(rows.Context, client.context("Anna"), client.context("zebras"))
    shown = client.show("Anna")
    assert shown is not None
    check(rows.Entity, shown, *client.entities())
    check_all(rows.Turn, client.turns("talk", 1, 3))
    check_all(rows.Space, client.spaces())
    check(rows.Stats, client.stats())


def test_what_is_recorded(client: Client) -> None:
    receipt = client.assert_statements([*STATEMENTS, {"colour": "red"}])
    check(rows.Receipt, receipt)
    check(rows.Problem, *receipt["problems"])
    check(rows.Cursor, client.cursor_get("page"), client.cursor_set("page", "1", ttl="2h"))
    check(rows.Checkpoint, client.checkpoint_save("ready", agent="builder"))
    check_all(rows.Checkpoint, client.rows("checkpoint/list"))
    check(rows.Packet, client.resume("builder"))
    check(rows.Certificate, client.erase(session="talk"))
