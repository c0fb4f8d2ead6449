//! Whether the frames of one of RocksDB's log files fill it to its end.
//!
//! RocksDB takes a frame that reaches beyond the end of the file for one that was cut off while it was written, and reads no
//! further: a flipped bit in a length hides everything after it. In a list of files that was closed long ago nothing is cut off.
//! What the frames hold is compared with their checksums by RocksDB itself.
//!
//! ```text
//! file    blocks of 32 KiB, the last one shorter
//! block   frames; fewer than 7 bytes after the last one are zeros
//! frame   checksum 4 | length 2, little-endian | type 1: whole 1, first 2, middle 3, last 4 | as many bytes
//! ```
//! (RocksDB wiki, "Write Ahead Log File Format".)

const BLOCK_BYTES: usize = 32 << 10;
const WHOLE: u8 = 1;
const LAST: u8 = 4;

/// Says whether frames fill the bytes, and the last one ends a record.
pub(super) fn fill(bytes: &[u8]) -> bool {
    let mut end = LAST;
    for block in bytes.chunks(BLOCK_BYTES) {
        let mut rest = block;
        while let [_, _, _, _, low, high, kind, after @ ..] = rest {
            let length = usize::from(u16::from_le_bytes([*low, *high]));
            let (Some(next), WHOLE..=LAST) = (after.get(length..), *kind) else { return false };
            end = *kind;
            rest = next;
        }
        let is_short = block.len() < BLOCK_BYTES;
        if (is_short && !rest.is_empty()) || rest.iter().any(|byte| *byte != 0) {
            return false;
        }
    }
    end == WHOLE || end == LAST
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_BYTES: usize = 7;

    fn frame(kind: u8, length: usize) -> Vec<u8> {
        let mut frame = vec![9, 9, 9, 9];
        frame.extend(u16::try_from(length).unwrap().to_le_bytes());
        frame.push(kind);
        frame.extend(vec![7; length]);
        frame
    }

    #[test]
    fn frames_fill_a_file_or_do_not() {
        let small = [frame(1, 10), frame(1, 0), frame(1, 300)].concat();
        assert!(fill(&small) && fill(&[]));
        let first = BLOCK_BYTES - 2 * HEADER_BYTES - 103;
        let padded = [frame(1, 100), frame(2, first), vec![0; 3], frame(4, 50)].concat();
        assert!(fill(&padded));
        for (bytes, at) in [(&small, 4), (&small, 5), (&small, 6), (&padded, 4), (&padded, 6)] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x20;
            assert!(!fill(&flipped), "{at}");
        }
        for n_bytes in (1..17).chain(18..24).chain(25..small.len()) {
            assert!(!fill(&small[..n_bytes]), "{n_bytes} bytes");
        }
        assert!(!fill(&padded[..BLOCK_BYTES]), "a record without its end");
    }
}
