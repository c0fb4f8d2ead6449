"""What is recorded, refused, exported and erased."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import STATEMENTS

from bygone_client import BadInput, Client, Conflict


def test_statements_are_known_again(client: Client) -> None:
    receipt = client.assert_statements(STATEMENTS)
    assert (receipt["duplicates"], receipt["assertions"]) == (3, 0)


def test_a_statement_that_cannot_be_read_leaves_the_others_in(client: Client) -> None:
    good = {**STATEMENTS[0], "source": "talk#9"}
    receipt = client.assert_statements([good, {"colour": "red"}])
    assert receipt["assertions"] == 1
    assert [problem["line"] for problem in receipt["problems"]] == [2]


def test_where_none_can_be_read_the_receipt_comes_with_the_error(client: Client) -> None:
    with pytest.raises(BadInput) as raised:
        client.assert_statements([{"colour": "red"}, {"colour": "blue"}])
    assert raised.value.rows[0]["quarantined"] == 2
    assert "colour" in raised.value.message


def test_transcripts_are_bytes_texts_and_files(client: Client, tmp_path: Path) -> None:
    for n, kind in enumerate([str.encode, str, None]):
        text = json.dumps([{"role": "user", "content": f"I moved to Rome in May 201{n}."}])
        file = tmp_path / "messages.json"
        file.write_text(text)
        dry = client.ingest(kind(text) if kind else file, "openai", dry_run=True)
        receipt = client.ingest(kind(text) if kind else file, "openai")
        assert dry["episodes"] == receipt["episodes"] == 1
    with pytest.raises(BadInput, match="format"):
        client.ingest('{"type":"nonsense"}')


def test_cursors_are_compared_before_they_are_set(client: Client) -> None:
    assert client.cursor_get("page")["value"] is None
    first = client.cursor_set("page", "1", expect="", agent="reader")
    assert (first["value"], first["by"]) == ("1", "reader")
    with pytest.raises(Conflict) as raised:
        client.cursor_set("page", "3", expect="2")
    assert raised.value.status == 409
    assert client.cursor_set("page", "2", expect_seq=first["seq"])["seq"] > first["seq"]
    with pytest.raises(Conflict):
        client.cursor_set("page", "3", expect_seq=first["seq"])
    assert client.cursor_get("page")["value"] == "2"
    assert client.cursor_get("page", recorded=first["seq"])["value"] == "1"


def test_the_same_key_does_it_once(client: Client) -> None:
    failed = {"set": "pages", "items": ["1"], "reason": "no answer", "idempotency_key": "night-1"}
    client.call("work/add", set="pages", items=["1"])
    for _ in range(2):
        client.call("work/failed", **failed)
    assert [row["attempts"] for row in client.rows("work/list", set="pages")] == [1]
    client.call("work/failed", **{**failed, "idempotency_key": None})
    assert [row["attempts"] for row in client.rows("work/list", set="pages")] == [2]


@pytest.mark.parametrize("state", [b"\x00\xff\r\n", "ready, steady", b""])
def test_a_state_comes_back_as_it_was(client: Client, state: bytes | str) -> None:
    saved = client.checkpoint_save(state, agent="builder", label="first")
    assert saved["label"] == "first"
    expected = state.encode() if isinstance(state, str) else state
    assert client.checkpoint_restore(agent="builder") == expected
    assert client.checkpoint_restore(saved["checkpoint"]) == expected


def test_a_state_that_was_never_saved_is_none(client: Client) -> None:
    assert client.checkpoint_restore(agent="nobody") is None


def test_an_agent_resumes_where_it_was(client: Client) -> None:
    client.call("task/set", objective="Write the report", agent="builder")
    packet = client.resume("builder", budget=500)
    assert "Write the report" in packet["text"] and packet["tokens"] <= 500


def test_an_export_is_read_row_by_row_and_read_back(client: Client) -> None:
    # Unicode calls these ends of lines; JSON does not.
    odd = "one\u2028two\u0085three\x0bfour"
    client.assert_statements([{**STATEMENTS[0], "predicate": "likes", "object": {"text": odd}, "source": "talk#8"}])
    client.checkpoint_save(b"state", agent="builder")
    exported = client.export().all()
    assert odd in [row["object"].get("text") for row in exported if "object" in row]
    assert len(client.export(statements=True).all()) < len(exported)
    assert client.export().first() == exported[0]
    copy = client.space(client.space_name + "-copy")
    assert copy.call("import", input="".join(json.dumps(row) + "\n" for row in exported)).yes
    assert copy.export().all() == exported


def test_what_is_erased_is_gone(client: Client) -> None:
    certificate = client.erase(session="talk")
    assert (certificate["episodes"], certificate["found"]) == (3, [])
    assert client.facts("Anna").all() == []
    with pytest.raises(Conflict):
        client.erase(session="talk")
