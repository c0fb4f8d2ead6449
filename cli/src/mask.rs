//! Masks secrets in what commands are told to keep, by the same rules as `ingest`, and says how many there were.
//!
//! What is masked are texts: values, reasons, messages, inputs and results. Names, keys, ids and paths are kept as they are,
//! since something is found by them, and so are the bytes of checkpoints, which come back as they were.

use std::cell::Cell;

use bygone_ingest::redact::{redact, redact_text};

use crate::failure::Failure;
use crate::output::{Output, count};

/// Whether secrets are masked.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Secrecy {
    /// Keep keys, tokens and passwords, which are otherwise masked
    #[arg(long, visible_alias = "no-redact")]
    keep_secrets: bool,
}

impl Secrecy {
    /// Says whether secrets are kept.
    pub(crate) fn keeps(&self) -> bool {
        self.keep_secrets
    }

    /// Returns what masks the texts of one command.
    pub(crate) fn mask(&self) -> Mask {
        Mask { keeps_secrets: self.keep_secrets, n_masked: Cell::new(0) }
    }
}

/// Masks the texts of one command.
pub(crate) struct Mask {
    keeps_secrets: bool,
    n_masked: Cell<u64>,
}

impl Mask {
    /// Returns a text with every secret masked.
    pub(crate) fn text(&self, text: &str) -> String {
        if self.keeps_secrets {
            return text.to_owned();
        }
        let (masked, n_masked) = redact_text(text);
        self.n_masked.set(self.n_masked.get() + n_masked);
        masked.into_owned()
    }

    /// Returns a text that may be left out with every secret masked.
    pub(crate) fn optional(&self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.text(text))
    }

    /// Returns texts with every secret masked.
    pub(crate) fn all(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.text(text)).collect()
    }

    /// Returns bytes with every secret masked.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        if self.keeps_secrets {
            return bytes.to_vec();
        }
        let (masked, n_masked) = redact(bytes);
        self.n_masked.set(self.n_masked.get() + n_masked);
        masked.into_owned()
    }

    /// Says how many secrets were masked, beside the answer and in it.
    pub(crate) fn tell(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        let n_masked = self.n_masked.get();
        output.n_masked = n_masked;
        if n_masked == 0 {
            return Ok(());
        }
        output
            .remark(format!("masked {}; --keep-secrets keeps what looks like one", count(n_masked, "secret")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As GitHub writes its tokens.
    const TOKEN: &str = "ghp_x7Kq2mVt9RbLw4ZpYc8JnHd5SfGa3Xe6Uv1T";

    fn mask(keep_secrets: bool) -> Mask {
        Secrecy { keep_secrets }.mask()
    }

    #[test]
    fn secrets_become_asterisks_of_the_same_length_and_are_counted() {
        let masking = mask(false);
        assert_eq!(
            masking.text(&format!("push with {TOKEN}")),
            format!("push with {}", "*".repeat(TOKEN.len()))
        );
        assert_eq!(masking.text("17"), "17");
        assert_eq!(masking.optional(None), None);
        assert_eq!(
            masking.all(&[TOKEN.to_owned(), "a".to_owned()]),
            ["*".repeat(TOKEN.len()), "a".to_owned()]
        );
        assert_eq!(masking.bytes(format!("a\n{TOKEN}\n").as_bytes()).len(), TOKEN.len() + 3);
        assert_eq!(masking.n_masked.get(), 3);
    }

    #[test]
    fn secrets_are_kept_where_that_is_asked_for() {
        let masking = mask(true);
        assert_eq!(masking.text(TOKEN), TOKEN);
        assert_eq!(masking.bytes(TOKEN.as_bytes()), TOKEN.as_bytes());
        assert_eq!(masking.n_masked.get(), 0);
    }
}
