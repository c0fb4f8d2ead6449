//! Bytes as text: base64 with the standard alphabet and padding (RFC 4648, section 4).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as text.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0, |bits, (n, byte)| bits | u32::from(*byte) << (16 - 8 * n));
        for n in 0..4 {
            let six = (bits >> (18 - 6 * n)) & 63;
            text.push(if n <= three.len() { char::from(ALPHABET[six as usize]) } else { '=' });
        }
    }
    text
}

/// Reads bytes from text; nothing where it is none, or written otherwise than [`encode`] does.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut fours = text.as_bytes().chunks_exact(4);
    for four in fours.by_ref() {
        let n_digits = four.iter().position(|digit| *digit == b'=').unwrap_or(4);
        if n_digits < 2 || four[n_digits..].iter().any(|digit| *digit != b'=') {
            return None;
        }
        let mut bits = 0;
        for (n, digit) in four[..n_digits].iter().enumerate() {
            let six = ALPHABET.iter().position(|known| known == digit)?;
            bits |= u32::try_from(six).ok()? << (18 - 6 * n);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..n_digits]);
    }
    // Only what is written like that again: no padding within, no bits beyond the last byte.
    (fours.remainder().is_empty() && encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
    }

    #[test]
    fn what_is_no_base64_is_refused() {
        for text in ["Z", "Zg", "Zg=", "=Zg=", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm 9", "Zm9v\n", "é==="]
        {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
