//! Where the values of a JSON text start and end, found without building them.
//!
//! ```text
//!             "                 \
//!   between ────> in a string ────> behind a backslash
//!           <────             <────
//!             "                any byte
//! ```
//!
//! Brackets count only between strings. What stands inside a value is not checked: that is for who parses it.

/// What a byte of a value means for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value goes on.
    Inside,
    /// The byte is the last of the value.
    Last,
    /// The byte is behind the value: it ends the list or the object around it, or parts it from the next one.
    Behind,
}

/// How far a value was followed, from its first byte on.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    /// Takes the next byte of the value.
    pub(super) fn step(&mut self, byte: u8) -> Step {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_string = false;
                    if self.depth == 0 {
                        return Step::Last;
                    }
                }
                _ => {}
            }
            return Step::Inside;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' if self.depth == 0 => return Step::Behind,
            b']' | b'}' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Step::Last;
                }
            }
            b',' if self.depth == 0 => return Step::Behind,
            _ => {}
        }
        Step::Inside
    }
}
