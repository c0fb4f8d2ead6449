"""What is asked, and what comes back."""

from __future__ import annotations

from datetime import date, datetime, timezone

import pytest

from bygone_client import BadInput, BadRequest, Client, NotFound


def homes(client: Client, **view: object) -> list[str]:
    return [fact["object"]["entity"] for fact in client.facts("Anna", "lives_in", **view)]  # type: ignore[arg-type]


def test_answers_go_by_both_times(client: Client) -> None:
    assert client.ask("Where does Anna live?")["answer"].startswith("Porto")
    assert client.ask("Where does Anna live?", valid="2023-05")["answer"].startswith("Lisbon")
    assert client.ask("Where does Anna live?", known="2023-05")["answer"].startswith("Lisbon")


def test_an_answer_that_is_not_known_says_so(client: Client) -> None:
    answer = client.ask("Where does Zed live?")
    assert answer["known"] is False and "Zed" in answer["answer"]


@pytest.mark.parametrize(
    "valid", ["2023-05", date(2023, 5, 1), datetime(2023, 5, 1, 12, tzinfo=timezone.utc), ("2023-05", date(2023, 6, 1))]
)
def test_times_are_texts_dates_instants_and_spans(client: Client, valid: object) -> None:
    assert homes(client, valid=valid) == ["place:Lisbon"]


def test_a_datetime_without_a_zone_is_refused_before_it_is_sent(client: Client) -> None:
    with pytest.raises(ValueError, match="no zone"):
        client.facts(valid=datetime(2023, 5, 1))


def test_rows_are_gone_through_page_after_page_and_each_time_anew(client: Client) -> None:
    whole = client.facts(valid="all", history=True).all()
    paged = client.rows("facts", valid="all", history=True, page_size=1)
    assert len(whole) > 2
    assert paged.all() == whole and paged.all() == whole
    assert paged.first() == whole[0]


def test_pages_are_of_one_commit(client: Client) -> None:
    rows = iter(client.rows("facts", page_size=1))
    first = next(rows)
    client.assert_statements([{"subject": "person:Anna", "predicate": "likes", "object": {"text": "tea"}}])
    assert [first["predicate"], *(row["predicate"] for row in rows)] == ["lives_in", "works_at"]


def test_rows_say_why_there_are_none(client: Client) -> None:
    rows = client.timeline("Nobody")
    assert rows.all() == [] and "Nobody" in rows.remarks[0]
    assert rows.first() is None


def test_the_past_of_a_belief(client: Client) -> None:
    fact = client.facts("Anna", "lives_in", valid="2023-05").first()
    assert fact is not None and fact.get("ended_by") == "change"
    proof = client.why(fact["id"])
    assert proof is not None and proof["fact"]["id"] == fact["id"]
    assert client.why("f:" + "0" * 32) is None
    assert [row["predicate"] for row in client.timeline("Anna")] == ["works_at", "lives_in", "lives_in"]
    assert len(client.history("Anna", "lives_in").all()) == 3
    changes = client.diff("Anna", known=("2023-05", "2024-05")).all()
    assert {row["change"] for row in changes} == {"changed", "learned"}
    learned = client.learned("Anna", "lives_in", "Porto").all()
    assert [row["known_from"] for row in learned] == ["2024-04-02T09:30:00Z"]


def test_what_is_found(client: Client) -> None:
    hits = client.search("Where is Porto?", k=1, kind="fact").all()
    assert [hit["rank"] for hit in hits] == [1] and hits[0]["kind"] == "fact"
    context = client.context("Anna", budget=200)
    assert "Porto" in context["text"] and context["tokens"] <= 200
    assert client.context("zebras")["text"] == ""


def test_queries_have_parameters(client: Client) -> None:
    query = "MATCH (p)-[:lives_in]->(c) WHERE c = $c RETURN p"
    assert client.query(query, {"c": "place:Porto"}).all() == [{"p": "person:Anna"}]
    with pytest.raises(BadRequest, match="line 1, column 8"):
        client.query("MATCH (").all()


def test_entities_and_turns(client: Client) -> None:
    assert [row["entity"] for row in client.entities("person:")] == ["person:Anna"]
    shown = client.show("Anna")
    assert shown is not None and len(shown.get("facts", [])) == 2
    assert client.show("Nobody") is None
    assert [turn["turn"] for turn in client.turns("talk", 1, 2)] == [1, 2]
    assert [turn["turn"] for turn in client.turns("talk", 3)] == [3]


def test_spaces_are_apart_and_share_the_connection(client: Client) -> None:
    other = client.space(client.space_name + "-2")
    with pytest.raises(BadInput, match="no space"):
        other.facts().all()
    with other:
        other.assert_statements(
            [{"subject": "person:Ben", "predicate": "lives_in", "object": {"entity": "place:Oslo"}}]
        )
    assert [fact["subject"] for fact in other.facts()] == ["person:Ben"]
    assert {client.space_name, other.space_name} <= {row["space"] for row in client.spaces()}
    assert (client.stats()["facts"], other.stats()["facts"]) == (3, 1)


def test_any_verb_can_be_called(client: Client) -> None:
    added = client.call("work/add", set="pages", items=["1", "2"])
    assert added.yes and added.row["changed"] == 2
    assert [row["item"] for row in client.rows("work list", set="pages")] == ["1", "2"]
    concluded = client.call(
        "conclude", subject="Anna", predicate="likes", object="sea", from_=[fact["id"] for fact in client.facts("Anna")]
    )
    assert concluded.yes
    key = {"project_key": "site", "session_id": "monday"}
    client.call("session-store/append", key=key, entries=[{"type": "user", "uuid": "1"}])
    assert client.call("session-store/load", key=key).result["entries"] == [{"type": "user", "uuid": "1"}]
    client.checkpoint_save(b"state", agent="builder")
    assert client.call("checkpoint/restore", agent="builder").content == b"state"
    with pytest.raises(NotFound, match="openapi"):
        client.call("nonsense")
    with pytest.raises(BadRequest, match="colour"):
        client.call("facts", colour="red")
