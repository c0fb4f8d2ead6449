//! Which unit is read next: files in their order, and within those that are lists, element after element.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::unit::{Piece, Unit, Work};
use super::{Document, Plan, Refusal, Refused};
use crate::read::{Elements, Manner, Meter, ReadElement, Source};

/// Batches of a unit that wait to be recorded.
const BATCHES_AHEAD: usize = 2;

/// What the committer is told, in the order in which it is to be recorded.
pub(super) enum Next {
    /// A file begins; its records go into spaces of their own, or into the plan's.
    File { makes_spaces: bool },
    /// A unit of a document, whose batches come through the channel.
    Unit { document: usize, pieces: Receiver<Piece> },
    /// A file could not be read, or not further.
    Refused(Refused),
}

/// Hands out units. Whoever takes one tells the committer of it before anybody takes the next.
pub(super) struct Feeder<'a> {
    plan: &'a Plan<'a>,
    meter: &'a Meter,
    /// `None` once there is nothing more to tell.
    queue: Option<SyncSender<Next>>,
    /// The document after the current one.
    next: usize,
    list: Option<List<'a>>,
}

/// A file that is being read element by element.
struct List<'a> {
    document: usize,
    read: ReadElement,
    elements: Elements<'a>,
}

impl<'a> Feeder<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, meter: &'a Meter, queue: SyncSender<Next>) -> Feeder<'a> {
        Feeder { plan, meter, queue: Some(queue), next: 0, list: None }
    }

    /// Returns the next unit; `None` where there is none, or where nobody wants it.
    fn next(&mut self) -> Option<Unit<'a>> {
        loop {
            if let Some(list) = &mut self.list {
                let (document, read) = (list.document, list.read);
                match list.elements.next_element() {
                    Ok(Some(element)) => return self.unit(document, Work::Element(read, element)),
                    Ok(None) => self.list = None,
                    Err(error) => {
                        self.list = None;
                        self.refuse(document, Refusal::Unreadable(error.to_string()))?;
                    }
                }
                continue;
            }
            let index = self.next;
            let document: &'a Document = self.plan.documents.get(index)?;
            self.next += 1;
            let source = source(self.plan, document, self.meter);
            let format = match self.plan.format {
                Some(format) => Ok(Some(format)),
                None => source.format(),
            };
            let manner = match format {
                Ok(Some(reader)) => reader.read,
                Ok(None) => {
                    self.refuse(index, Refusal::UnknownFormat)?;
                    continue;
                }
                Err(error) => {
                    self.refuse(index, Refusal::Unreadable(error.to_string()))?;
                    continue;
                }
            };
            self.tell(Next::File { makes_spaces: matches!(manner, Manner::Elements(_)) })?;
            match manner {
                Manner::File(read) => return self.unit(index, Work::File(read)),
                Manner::Elements(read) | Manner::Conversations(read) => match manner.elements(&source) {
                    Ok(elements) => self.list = Some(List { document: index, read, elements }),
                    Err(error) => self.refuse(index, Refusal::Unreadable(error.to_string()))?,
                },
            }
        }
    }

    fn unit(&self, index: usize, work: Work) -> Option<Unit<'a>> {
        let (send, pieces) = sync_channel(BATCHES_AHEAD);
        self.tell(Next::Unit { document: index, pieces })?;
        Some(Unit { document: &self.plan.documents[index], work, send })
    }

    fn refuse(&self, document: usize, why: Refusal) -> Option<()> {
        self.tell(Next::Refused(Refused { document, why }))
    }

    fn tell(&self, next: Next) -> Option<()> {
        self.queue.as_ref()?.send(next).ok()
    }
}

/// A worker's share in a feeder. With the first worker that ends, however it does, the committer is told that nothing
/// more comes.
pub(super) struct Taking<'f, 'a>(pub(super) &'f Mutex<Feeder<'a>>);

impl<'a> Taking<'_, 'a> {
    /// Takes the next unit.
    pub(super) fn next(&self) -> Option<Unit<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

impl Drop for Taking<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).queue = None;
    }
}

/// Makes the source of a document.
pub(super) fn source<'a>(plan: &Plan<'_>, document: &'a Document, meter: &'a Meter) -> Source<'a> {
    Source::new(&document.name, &document.bytes, document.modified, plan.now)
        .keeping_secrets(plan.keeps_secrets)
        .metered(meter)
}
