//! What a work-set holds: texts of one line, told apart byte by byte.
//!
//! Invariant: an item is its key. One that is written as a whole number, without a sign and without zeros in front, sorts
//! as a number and before every other one; the others sort as their bytes do.

use std::borrow::Cow;
use std::fmt;

use crate::id::hash_parts;

/// The longest item, in bytes.
pub const MAX_ITEM_BYTES: usize = 4096;

/// The first byte of a number's key, and of any other text's.
const NUMBER: u8 = 0;
const TEXT: u8 = 1;

/// Something that is to be done, or was: an id, a path, an address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(Vec<u8>);

/// Why a text is no item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ItemError {
    /// There is nothing in it.
    #[error("an item of a work-set is empty: expected a text")]
    Empty,
    /// It has more than one line, or a NUL.
    #[error("item {0:?} has a line break or a NUL: expected a text of one line")]
    NotALine(String),
    /// It is longer than an item may be.
    #[error("an item of {0} bytes is longer than {MAX_ITEM_BYTES}")]
    TooLong(usize),
}

impl Item {
    /// Makes an item of a text, which is taken as it is.
    ///
    /// # Errors
    /// [`ItemError`] by what is wrong.
    pub fn new(text: &str) -> Result<Item, ItemError> {
        if text.is_empty() {
            return Err(ItemError::Empty);
        }
        if text.contains(['\n', '\r', '\0']) {
            return Err(ItemError::NotALine(text.to_owned()));
        }
        if text.len() > MAX_ITEM_BYTES {
            return Err(ItemError::TooLong(text.len()));
        }
        let is_plain = text == "0" || !text.starts_with(['0', '+']);
        Ok(match text.parse().ok().filter(|_| is_plain) {
            Some(number) => Item::from_number(number),
            None => Item::from_text(text.as_bytes()),
        })
    }

    pub(crate) fn from_number(number: u64) -> Item {
        let mut key = vec![NUMBER];
        key.extend(number.to_be_bytes());
        Item(key)
    }

    /// Makes an item of the bytes of a text that is no number.
    pub(crate) fn from_text(text: &[u8]) -> Item {
        Item([&[TEXT], text].concat())
    }

    /// Reads an item back from its key; `None` where no item has that key.
    pub(crate) fn from_key(key: &[u8]) -> Option<Item> {
        let item = Item(key.to_vec());
        match key.split_first()? {
            (&NUMBER, _) => item.number().map(|_| item),
            (&TEXT, text) => {
                (Item::new(std::str::from_utf8(text).ok()?).as_ref() == Ok(&item)).then_some(item)
            }
            _ => None,
        }
    }

    /// Returns its bytes in keys.
    pub(crate) fn key(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number that it is written as, if it is.
    pub(crate) fn number(&self) -> Option<u64> {
        let digits = self.0.strip_prefix(&[NUMBER])?;
        Some(u64::from_be_bytes(digits.try_into().ok()?))
    }

    /// Returns the bytes of a text that is no number.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.0.strip_prefix(&[TEXT])
    }

    /// Returns the text.
    pub fn text(&self) -> Cow<'_, str> {
        match self.number() {
            Some(number) => Cow::Owned(number.to_string()),
            None => String::from_utf8_lossy(&self.0[1..]),
        }
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// Items in order, each once.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Items(Vec<Item>);

impl Items {
    /// Returns the items in order.
    pub fn as_slice(&self) -> &[Item] {
        &self.0
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Says whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Item> for Items {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Items {
        let mut items: Vec<Item> = items.into_iter().collect();
        items.sort_unstable();
        items.dedup();
        Items(items)
    }
}

impl fmt::Debug for Items {
    /// Tells a million items apart from others in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = hash_parts("items", self.0.iter().map(Item::key));
        write!(f, "{} items {:032x}", self.0.len(), u128::from_be_bytes(hash))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(text: &str) -> Item {
        Item::new(text).expect(text)
    }

    #[test]
    fn numbers_sort_as_numbers_and_before_other_texts() {
        let mut items =
            ["x", "10", "-1", "9", "007", "18446744073709551616", "0", "18446744073709551615", "+7"]
                .map(item)
                .to_vec();
        items.sort();
        let texts: Vec<_> = items.iter().map(Item::text).collect();
        let expected =
            ["0", "9", "10", "18446744073709551615", "+7", "-1", "007", "18446744073709551616", "x"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_is_no_line_of_text_is_no_item() {
        assert_eq!(Item::new(""), Err(ItemError::Empty));
        assert_eq!(Item::new("a\nb"), Err(ItemError::NotALine("a\nb".to_owned())));
        assert_eq!(Item::new(&"x".repeat(4097)), Err(ItemError::TooLong(4097)));
        assert!(Item::new(&"x".repeat(4096)).is_ok());
    }

    #[test]
    fn keys_of_no_item_are_refused() {
        for key in [&[][..], &[0, 1], &[2, 65], &[1], &[1, 55], &[1, 0xff]] {
            assert_eq!(Item::from_key(key), None, "{key:?}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_what_it_was(text in "[0-9+ a-z\u{e4}]{1,21}") {
            let item = item(&text);
            prop_assert_eq!(item.text(), text.as_str());
            prop_assert_eq!(Item::from_key(item.key()), Some(item));
        }
    }
}
