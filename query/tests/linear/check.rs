//! Whether a recorded history is one that a single thread could have made, each operation at one moment between its start and
//! its end.
//!
//! The store says itself in which order it did things: every write that was done has a sequence number, and a reader is told
//! the number of the last commit that it sees. So the checker need not look for an order; it goes through the one that the
//! numbers give, and looks whether it agrees with what every operation was told, and with what ended before what else began.
//!
//! Does not know the store. Invariant: ticks are of one clock that every thread reads, and no two are equal.

use std::collections::BTreeMap;

/// What a register holds: a value, and the number of the commit that put it there.
pub(super) type Held = Option<(String, u64)>;

/// One operation, with the ticks of its start and its end.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) did: Did,
}

/// What was done, and what was told.
#[derive(Clone, Debug)]
pub(super) enum Did {
    /// A register was set, where it held what was expected.
    Set { register: usize, expected: Expected, value: String, seq: u64 },
    /// It held something else, and is as it was.
    Lost { register: usize, expected: Expected, held: Held },
    /// Everything was read as of one commit.
    Read { last: u64, held: Vec<Held> },
}

/// What a register had to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Whatever commit put the value there, with this number; 0 for none.
    Seq(u64),
    /// This value.
    Value(String),
}

impl Expected {
    fn is_met(&self, held: Option<&(String, u64)>) -> bool {
        match self {
            Expected::Seq(seq) => held.map_or(0, |(_, seq)| *seq) == *seq,
            Expected::Value(value) => held.is_some_and(|(held, _)| held == value),
        }
    }
}

/// A write that was done.
struct Write<'h> {
    event: &'h Event,
    register: usize,
    value: &'h str,
}

/// Checks a history.
///
/// # Errors
/// What no order of its operations explains.
pub(super) fn check(history: &[Event]) -> Result<(), String> {
    let mut writes: BTreeMap<u64, Write<'_>> = BTreeMap::new();
    for event in history {
        if let Did::Set { register, value, seq, .. } = &event.did {
            let write = Write { event, register: *register, value };
            if writes.insert(*seq, write).is_some() {
                return Err(format!("two writes have the number {seq}"));
            }
        }
    }
    // As of each write: what its register holds before it.
    for (seq, write) in &writes {
        let Did::Set { expected, .. } = &write.event.did else { continue };
        let before = held(&writes, write.register, seq - 1);
        if !expected.is_met(before.as_ref()) {
            return Err(format!("{:?} was done where the register held {before:?}", write.event));
        }
    }
    for event in history {
        let done_before = last_ended(&writes, event.start, None);
        match &event.did {
            Did::Set { seq, .. } => {
                if done_before > *seq {
                    return Err(format!(
                        "{event:?} comes before {done_before}, which was done before it began"
                    ));
                }
            }
            Did::Lost { register, expected, held: told } => {
                let seq = told.as_ref().map_or(0, |(_, seq)| *seq);
                if *told != held(&writes, *register, seq) || expected.is_met(told.as_ref()) {
                    return Err(format!("{event:?} was lost to what was never there"));
                }
                if last_ended(&writes, event.start, Some(*register)) > seq {
                    return Err(format!("{event:?} was lost to what was there no more"));
                }
                is_begun(&writes, seq, event)?;
            }
            Did::Read { last, held: told } => {
                let expected: Vec<Held> =
                    (0..told.len()).map(|register| held(&writes, register, *last)).collect();
                if *told != expected {
                    return Err(format!("{event:?} is not what {last} commits make: {expected:?}"));
                }
                if done_before > *last {
                    return Err(format!(
                        "{event:?} does not see {done_before}, which was done before it began"
                    ));
                }
                is_begun(&writes, *last, event)?;
            }
        }
    }
    reads_go_forward(history)
}

/// What a register holds after a commit.
fn held(writes: &BTreeMap<u64, Write<'_>>, register: usize, seq: u64) -> Held {
    let (seq, write) = writes.range(..=seq).rfind(|(_, write)| write.register == register)?;
    Some((write.value.to_owned(), *seq))
}

/// The number of the last write, of all or of one register, that had ended before a tick; 0 for none.
fn last_ended(writes: &BTreeMap<u64, Write<'_>>, tick: u64, register: Option<usize>) -> u64 {
    let is_it = |write: &Write<'_>| {
        write.event.end < tick && register.is_none_or(|register| register == write.register)
    };
    writes.iter().rfind(|(_, write)| is_it(write)).map_or(0, |(seq, _)| *seq)
}

/// What an operation saw had begun before the operation ended.
fn is_begun(writes: &BTreeMap<u64, Write<'_>>, seq: u64, event: &Event) -> Result<(), String> {
    match writes.range(..=seq).find(|(_, write)| write.event.start > event.end) {
        Some((seq, _)) => Err(format!("{event:?} sees {seq}, which began after it had ended")),
        None => Ok(()),
    }
}

/// Who reads after somebody else has read sees no less.
fn reads_go_forward(history: &[Event]) -> Result<(), String> {
    let mut reads: Vec<(&Event, u64)> = Vec::new();
    for event in history {
        if let Did::Read { last, .. } = event.did {
            reads.push((event, last));
        }
    }
    let mut ended = reads.clone();
    reads.sort_by_key(|(event, _)| event.start);
    ended.sort_by_key(|(event, _)| event.end);
    let (mut ended, mut most) = (ended.into_iter().peekable(), 0);
    for (event, last) in reads {
        while let Some((_, seen)) = ended.next_if(|(other, _)| other.end < event.start) {
            most = most.max(seen);
        }
        if last < most {
            return Err(format!("{event:?} does not see {most}, which was read before it began"));
        }
    }
    Ok(())
}

#[test]
fn what_no_single_thread_could_have_done_is_refused() {
    let set = |start, end, expected, value: &str, seq| Event {
        start,
        end,
        did: Did::Set { register: 0, expected: Expected::Seq(expected), value: value.to_owned(), seq },
    };
    let read = |start, end, last, held: Held| Event { start, end, did: Did::Read { last, held: vec![held] } };
    let lost = |start, end, held: Held| Event {
        start,
        end,
        did: Did::Lost { register: 0, expected: Expected::Seq(0), held },
    };
    let of = |value: &str, seq| Some((value.to_owned(), seq));
    let first = set(1, 4, 0, "a", 1);
    let fine = vec![
        first.clone(),
        set(5, 9, 1, "b", 2),
        read(2, 6, 0, None),
        read(7, 8, 1, of("a", 1)),
        lost(10, 12, of("b", 2)),
    ];
    assert_eq!(check(&fine), Ok(()));
    for (wrong, said) in [
        (vec![first.clone(), set(5, 9, 0, "b", 2)], "was done where"),
        (vec![first.clone(), set(5, 9, 1, "b", 1)], "two writes"),
        (vec![set(5, 9, 0, "a", 1), set(1, 4, 1, "b", 2)], "comes before 2"),
        (vec![first.clone(), read(5, 6, 1, None)], "is not what"),
        (vec![first.clone(), read(5, 6, 0, None)], "does not see 1"),
        (vec![set(5, 9, 0, "a", 1), read(1, 4, 1, of("a", 1))], "began after"),
        (vec![first.clone(), lost(5, 6, of("c", 1))], "never there"),
        (vec![first.clone(), set(5, 9, 1, "b", 2), lost(10, 12, of("a", 1))], "there no more"),
        (vec![set(1, 9, 0, "a", 1), read(2, 3, 1, of("a", 1)), read(4, 5, 0, None)], "was read before"),
    ] {
        let refused = check(&wrong).expect_err(said);
        assert!(refused.contains(said), "{refused}");
    }
}
