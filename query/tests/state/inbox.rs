//! Messages: who gets them, who may do what with them, and what they hold in other views.

use bygone_engine::View;
use bygone_engine::time::parse_moment;
use bygone_query::state::inbox::{
    Draft, HandOver, Mailbox, Message, Priority, Status, Wanted, close, get, list, read, reply, send, start,
};
use bygone_query::state::{StateError, party};

use super::desk::{Desk, agent, at, known, recorded, refusal, user};

fn request<'a>(to: &[&str], subject: &'a str) -> Draft<'a> {
    let to = to.iter().map(|one| (*one).to_owned()).collect();
    Draft { kind: "request", to, subject, body: "please", ..Draft::default() }
}

#[track_caller]
fn sent(desk: &Desk, now: &str, by: &str, draft: &Draft<'_>) -> Message {
    desk.act(now, |snapshot, place| send(snapshot, place, &agent(by), draft)).expect("sent")
}

#[track_caller]
fn ids(desk: &Desk, view: &View, of: &str, wanted: Wanted, now: &str) -> Vec<String> {
    let of = party(of).expect("a name");
    let messages = desk.read_as(view, |seen| list(seen, &of, wanted, at(now))).expect("read");
    messages.into_iter().map(|message| message.id).collect()
}

const RECEIVED: Wanted = Wanted { mailbox: Mailbox::Received, status: None, only_unread: false };
const SENT: Wanted = Wanted { mailbox: Mailbox::Sent, ..RECEIVED };
const UNREAD: Wanted = Wanted { only_unread: true, ..RECEIVED };

#[test]
fn what_is_told_of_a_message_is_what_is_read_of_it() {
    let desk = Desk::new();
    let due = parse_moment("2026-03-05").expect("a day");
    let draft = Draft {
        cc: vec!["person:anna".to_owned(), "reviewer".to_owned()],
        priority: Priority::High,
        due: Some(due),
        ..request(&["reviewer", "tester", "reviewer"], " Look at the parser ")
    };
    let told = sent(&desk, "2026-03-01", "lead", &draft);
    assert_eq!(told.to, ["agent:reviewer", "agent:tester"]);
    assert_eq!(told.cc, ["person:anna"], "who it is for is not copied as well");
    assert_eq!((told.from.as_str(), told.subject.as_str()), ("agent:lead", "Look at the parser"));
    assert_eq!(told.id.len(), 8);
    let found = desk.read(|seen| get(seen, &told.id, at("2026-03-02"))).expect("read").expect("a message");
    assert_eq!(found, told);
    let by_type = desk.read(|seen| get(seen, &format!("message:{}", told.id), at("2026-03-02")));
    assert_eq!(by_type.expect("read"), Some(told));
}

#[test]
fn a_message_is_in_the_box_of_everybody_it_concerns_and_of_nobody_else() {
    let desk = Desk::new();
    let draft = Draft { cc: vec!["person:anna".to_owned()], ..request(&["reviewer"], "one") };
    let id = sent(&desk, "2026-03-01", "lead", &draft).id;
    for of in ["reviewer", "person:anna"] {
        assert_eq!(ids(&desk, &View::LATEST, of, RECEIVED, "2026-03-02"), std::slice::from_ref(&id), "{of}");
    }
    for of in ["lead", "tester", "person:reviewer", "anna"] {
        assert!(ids(&desk, &View::LATEST, of, RECEIVED, "2026-03-02").is_empty(), "{of}");
    }
    assert_eq!(ids(&desk, &View::LATEST, "lead", SENT, "2026-03-02"), [id]);
    assert!(ids(&desk, &View::LATEST, "reviewer", SENT, "2026-03-02").is_empty());
}

#[test]
fn the_more_urgent_and_the_sooner_due_come_first_and_the_resolved_last() {
    let desk = Desk::new();
    let draft = |subject, priority, due: Option<&str>| Draft {
        priority,
        due: due.map(|due| parse_moment(due).expect(due)),
        ..request(&["b"], subject)
    };
    let done = sent(&desk, "2026-03-01", "a", &draft("done", Priority::Urgent, None));
    desk.act("2026-03-02", |snapshot, place| close(snapshot, place, &agent("a"), &done.id)).expect("closed");
    for (subject, priority, due) in [
        ("later", Priority::Normal, None),
        ("soon", Priority::Normal, Some("2026-04")),
        ("low", Priority::Low, Some("2026-03-02")),
        ("urgent", Priority::Urgent, None),
        ("sooner", Priority::Normal, Some("2026-04-02")),
    ] {
        sent(&desk, "2026-03-01", "a", &draft(subject, priority, due));
    }
    let of = party("b").expect("a name");
    let messages = desk.read(|seen| list(seen, &of, RECEIVED, at("2026-03-10"))).expect("read");
    let subjects: Vec<&str> = messages.iter().map(|message| message.subject.as_str()).collect();
    assert_eq!(subjects, ["urgent", "sooner", "soon", "later", "low", "done"]);
    let overdue: Vec<bool> = messages.iter().map(|message| message.is_overdue).collect();
    assert_eq!(overdue, [false, false, false, false, true, false]);
}

#[test]
fn reading_is_marked_for_the_reader_alone_and_once() {
    let desk = Desk::new();
    let id = sent(&desk, "2026-03-01", "lead", &request(&["b", "c"], "one")).id;
    let read_by_b = |now| desk.act(now, |snapshot, place| read(snapshot, place, &agent("b"), &id));
    let first = read_by_b("2026-03-02").expect("read");
    assert_eq!(first.read_by.len(), 1);
    let seq = desk.read(|seen| seen.snapshot().last_seq()).expect("a number");
    assert_eq!(read_by_b("2026-03-03").expect("read"), first);
    assert_eq!(desk.read(|seen| seen.snapshot().last_seq()).expect("a number"), seq, "nothing is recorded");
    assert!(ids(&desk, &View::LATEST, "b", UNREAD, "2026-03-04").is_empty());
    assert_eq!(ids(&desk, &View::LATEST, "c", UNREAD, "2026-03-04"), std::slice::from_ref(&id));
    assert_eq!(ids(&desk, &known("2026-03-01"), "b", UNREAD, "2026-03-04"), [id]);
}

#[test]
fn only_who_sent_a_message_closes_it_and_others_are_told_who_may() {
    let desk = Desk::new();
    let id = sent(&desk, "2026-03-01", "lead", &request(&["b"], "one")).id;
    for other in [agent("b"), user("lead")] {
        let refused = desk.act("2026-03-02", |snapshot, place| close(snapshot, place, &other, &id));
        let own = other.named().expect("a name");
        assert_eq!(
            refusal(refused),
            format!("the message {id} was sent by agent:lead: only agent:lead may close it, not {own}")
        );
    }
    let closed = desk.act("2026-03-03", |snapshot, place| close(snapshot, place, &agent("lead"), &id));
    assert_eq!(closed.expect("closed").status, Status::Resolved);
    let again = desk.act("2026-03-04", |snapshot, place| close(snapshot, place, &agent("lead"), &id));
    assert_eq!(again.expect("as it is").status_at, at("2026-03-03"));
    // Nothing is deleted, and it was open then.
    let then = desk.read_as(&known("2026-03-02"), |seen| get(seen, &id, at("2026-03-02")));
    assert_eq!(then.expect("read").expect("a message").status, Status::Open);
    let valid = desk.read(|seen| get(seen, &id, at("2026-03-02")));
    assert_eq!(valid.expect("read").expect("a message").status, Status::Open);
}

#[test]
fn somebody_it_was_sent_to_begins_with_it_and_nobody_else_then() {
    let desk = Desk::new();
    let id = sent(&desk, "2026-03-01", "lead", &request(&["b", "c"], "one")).id;
    let begin = |now, by: &str| desk.act(now, |snapshot, place| start(snapshot, place, &agent(by), &id));
    assert_eq!(
        refusal(begin("2026-03-02", "lead")),
        format!("the message {id} was sent to agent:b, agent:c: only they may begin with it")
    );
    let taken = begin("2026-03-02", "b").expect("begun");
    assert_eq!((taken.status, taken.status_by.as_deref()), (Status::InProgress, Some("agent:b")));
    assert!(taken.is_read_by("agent:b"), "who begins has read it");
    assert_eq!(begin("2026-03-03", "b").expect("as it is").status_at, taken.status_at);
    assert_eq!(
        refusal(begin("2026-03-03", "c")),
        format!("the message {id} is in progress: agent:b has begun with it")
    );
    let wanted = Wanted { status: Some(Status::InProgress), ..RECEIVED };
    assert_eq!(ids(&desk, &View::LATEST, "c", wanted, "2026-03-04"), std::slice::from_ref(&id));
    assert!(ids(&desk, &known("2026-03-01"), "c", wanted, "2026-03-04").is_empty());
    desk.act("2026-03-05", |snapshot, place| close(snapshot, place, &agent("lead"), &id)).expect("closed");
    assert_eq!(refusal(begin("2026-03-06", "b")), format!("the message {id} is resolved"));
}

#[test]
fn an_answer_goes_to_who_sent_the_message_or_on_to_whom_it_was_sent() {
    let desk = Desk::new();
    let draft = Draft { cc: vec!["person:anna".to_owned()], ..request(&["b"], "Parser") };
    let id = sent(&desk, "2026-03-01", "lead", &draft).id;
    let answer = |now, by: &str, text: &str| {
        desk.act(now, |snapshot, place| reply(snapshot, place, &agent(by), &id, text))
    };
    let back = answer("2026-03-02", "b", "done").expect("sent");
    assert_eq!((back.to, back.cc), (vec!["agent:lead".to_owned()], vec!["person:anna".to_owned()]));
    assert_eq!((back.subject.as_str(), back.kind.as_str()), ("Re: Parser", "reply"));
    assert_eq!(back.reply_to.as_ref(), Some(&id));
    let original = desk.read(|seen| get(seen, &id, at("2026-03-03"))).expect("read").expect("a message");
    assert!(original.is_read_by("agent:b"));
    assert_eq!(original.status, Status::Open, "an answer resolves nothing");
    let on = answer("2026-03-03", "lead", "and the tests?").expect("sent");
    assert_eq!(on.to, ["agent:b"]);
    assert_eq!(refusal(answer("2026-03-03", "b", " ")), "the answer is empty");
    let unknown =
        desk.act("2026-03-03", |snapshot, place| reply(snapshot, place, &agent("b"), "00000000", "x"));
    assert!(matches!(unknown, Err(StateError::Missing(text)) if text == r#"there is no message "00000000""#));
}

#[test]
fn a_hand_over_has_all_its_parts_and_names_those_that_are_missing() {
    let desk = Desk::new();
    let whole = HandOver {
        why: "my window is full".to_owned(),
        objective: "ship 0.2".to_owned(),
        done: "the parser".to_owned(),
        state: "tests are red".to_owned(),
        next: "fix the lexer".to_owned(),
        open: "which error type?".to_owned(),
        pitfalls: "do not touch the cache".to_owned(),
        places: "src/lexer.rs".to_owned(),
    };
    let hand_over = |handover: Option<HandOver>| {
        let draft = Draft { kind: "handover", to: vec!["b".to_owned()], handover, ..Draft::default() };
        desk.act("2026-03-01", |snapshot, place| send(snapshot, place, &agent("a"), &draft))
    };
    let sent = hand_over(Some(whole.clone())).expect("sent");
    let found = desk.read(|seen| get(seen, &sent.id, at("2026-03-02"))).expect("read").expect("a message");
    assert_eq!(found.handover, Some(whole.clone()));
    let without = HandOver { pitfalls: String::new(), places: "  ".to_owned(), ..whole };
    assert_eq!(
        refusal(hand_over(Some(without))),
        "the hand-over says nothing of: pitfalls, where; all eight parts are required"
    );
    assert_eq!(
        refusal(hand_over(None)),
        "the hand-over says nothing of: why, objective, done, state, next, open, pitfalls, where; all eight parts \
         are required"
    );
}

#[test]
fn what_is_no_message_is_refused() {
    let desk = Desk::new();
    let refused = |draft: Draft<'_>| {
        refusal(desk.act("2026-03-01", |snapshot, place| send(snapshot, place, &agent("a"), &draft)))
    };
    assert_eq!(refused(request(&[], "one")), "the message is for nobody: expected somebody it is sent to");
    assert_eq!(
        refused(Draft { subject: "", body: "\n", ..request(&["b"], "") }),
        "the message says nothing: expected a subject or a body"
    );
    assert_eq!(
        refused(Draft { kind: "To do", ..request(&["b"], "one") }),
        r#""To do" is no kind of message: expected a word in lower case, such as request"#
    );
    assert!(refused(request(&["person:"], "one")).contains("empty name"));
}

#[test]
fn the_same_message_sent_twice_at_one_instant_of_the_clock_is_two_messages() {
    let desk = Desk::new();
    let first = sent(&desk, "2026-03-01", "a", &request(&["b"], "one"));
    let second = sent(&desk, "2026-03-01", "a", &request(&["b"], "one"));
    assert_ne!(first.id, second.id);
    assert_eq!(ids(&desk, &View::LATEST, "b", RECEIVED, "2026-03-02"), [first.id.clone(), second.id]);
    let last = desk.read(|seen| seen.snapshot().last_seq()).expect("a number");
    assert_eq!(ids(&desk, &recorded(last - 1), "b", RECEIVED, "2026-03-02"), [first.id]);
}

#[test]
fn an_id_that_is_taken_gets_longer() {
    let short = sent(&Desk::new(), "2026-03-01", "a", &request(&["b"], "one")).id;
    let taken = format!(
        r#"{{"subject": "message:{short}", "predicate": "message", "object": {{"json": {{}}}}, "from": "2026"}}"#
    );
    let longer = sent(&Desk::told(&[&taken]), "2026-03-01", "a", &request(&["b"], "one")).id;
    assert_eq!((longer.len(), longer.strip_suffix(|_| true)), (9, Some(short.as_str())));
}
