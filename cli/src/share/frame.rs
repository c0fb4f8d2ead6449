//! What goes over the socket: frames of a kind, a length and bytes.
//!
//! ```text
//! kind u8 │ length u32, little-endian │ bytes
//! ```

use std::io::{self, Read, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How often it is said that a command is under way.
pub(super) const TICK: Duration = Duration::from_secs(2);

/// After how long without a word whoever does a command is taken to stand still.
pub(super) const SILENCE: Duration = Duration::from_secs(15);

/// The most bytes of a frame.
const MOST: usize = 16 << 20;

/// The version of what goes over the socket, told first: programs of two versions do not serve each other.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $byte:literal,)*) => {
        /// What a frame is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind { $($(#[$doc])* $name = $byte,)* }

        impl Kind {
            fn of(byte: u8) -> Option<Kind> {
                match byte { $($byte => Some(Kind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    /// To the server: a [`Request`] as JSON.
    Command = 1,
    /// To the server: what it asked for of the command's input; no bytes at its end.
    Input = 2,
    /// Of the command's results.
    Output = 16,
    /// Of everything else that it says.
    Errors = 17,
    /// The command asks for more of its input.
    Wanted = 18,
    /// The command ended: its exit code.
    Done = 19,
    /// The command was stopped by something that was none of its business, and may be sent again.
    Again = 20,
    /// The command is not done here: why.
    Refused = 21,
    /// The command is still under way.
    Working = 22,
}

/// A command as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) version: String,
    /// The command's words as bytes, the program's name first.
    pub(super) words: Vec<Vec<u8>>,
    /// The folder it is run in.
    pub(super) folder: Vec<u8>,
    /// The variables of the environment that are ours.
    pub(super) variables: Vec<(String, Vec<u8>)>,
    /// Now, in microseconds since 1970.
    pub(super) now: i64,
    /// What tells this sending from every other one.
    pub(super) sent: String,
    /// The models that it wants to be asked, as their configuration is told apart.
    pub(super) config: String,
    pub(super) front: crate::session::Front,
}

pub(super) fn write(stream: &mut impl Write, kind: Kind, bytes: &[u8]) -> io::Result<()> {
    for chunk in bytes.chunks(MOST).chain(bytes.is_empty().then_some(bytes)) {
        let length = u32::try_from(chunk.len()).map_err(io::Error::other)?;
        let mut frame = Vec::with_capacity(5 + chunk.len());
        frame.push(kind as u8);
        frame.extend(length.to_le_bytes());
        frame.extend(chunk);
        stream.write_all(&frame)?;
    }
    Ok(())
}

pub(super) fn read(stream: &mut impl Read) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u32::from_le_bytes(length) as usize;
    let unknown = || io::Error::new(io::ErrorKind::InvalidData, "no frame of ours");
    let kind = Kind::of(kind).filter(|_| length <= MOST).ok_or_else(unknown)?;
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok((kind, bytes))
}
