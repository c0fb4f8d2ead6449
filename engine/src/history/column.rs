//! Whole numbers side by side, as differences to the least of them, all in the same few bytes: any one is found without reading
//! the others. (Frame of reference, Goldstein, Ramakrishnan and Shaft 1998.)

/// Appends a column: the least number, how many bytes a difference takes, the differences; all little-endian.
pub(super) fn put(to: &mut Vec<u8>, numbers: &[i64]) {
    let least = numbers.iter().copied().min().unwrap_or(0);
    let difference = |number: i64| number.wrapping_sub(least).cast_unsigned();
    let most = numbers.iter().map(|number| difference(*number)).max().unwrap_or(0);
    let width = 8 - most.leading_zeros() as usize / 8;
    to.extend_from_slice(&least.to_le_bytes());
    to.push(width.to_le_bytes()[0]);
    for number in numbers {
        to.extend_from_slice(&difference(*number).to_le_bytes()[..width]);
    }
}

/// A column that is being read.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    least: i64,
    width: usize,
    differences: &'a [u8],
}

impl<'a> Column<'a> {
    /// Reads a column of so many numbers from the front of bytes, and returns it with what follows.
    pub(super) fn split(bytes: &'a [u8], n: usize) -> Option<(Column<'a>, &'a [u8])> {
        let (least, rest) = bytes.split_first_chunk()?;
        let (&width, rest) = rest.split_first()?;
        let width = usize::from(width);
        if width > 8 {
            return None;
        }
        let (differences, rest) = rest.split_at_checked(n.checked_mul(width)?)?;
        Some((Column { least: i64::from_le_bytes(*least), width, differences }, rest))
    }

    /// Returns a number by its place, which must be one of the column's.
    pub(super) fn get(&self, at: usize) -> i64 {
        let mut difference = [0; 8];
        difference[..self.width].copy_from_slice(&self.differences[at * self.width..(at + 1) * self.width]);
        self.least.wrapping_add(u64::from_le_bytes(difference).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_read_back(numbers: Vec<i64>, after: Vec<u8>) {
            let mut bytes = Vec::new();
            put(&mut bytes, &numbers);
            bytes.extend_from_slice(&after);
            let (column, rest) = Column::split(&bytes, numbers.len()).expect("a column");
            prop_assert_eq!(rest, after.as_slice());
            for (at, number) in numbers.iter().enumerate() {
                prop_assert_eq!(column.get(at), *number);
            }
        }

        #[test]
        fn whatever_the_bytes_nothing_panics(bytes: Vec<u8>, n in 0_usize..300) {
            if let Some((column, _)) = Column::split(&bytes, n) {
                for at in 0..n {
                    column.get(at);
                }
            }
        }
    }

    #[test]
    fn near_numbers_take_few_bytes() {
        let mut bytes = Vec::new();
        put(&mut bytes, &[1_700_000_000_000_000, 1_700_000_000_000_255, 1_700_000_000_000_000]);
        assert_eq!(bytes.len(), 9 + 3);
        bytes.clear();
        put(&mut bytes, &[5, 5, 5]);
        assert_eq!(bytes.len(), 9, "equal numbers take none");
    }
}
