//! How large a query may be, and how much it may look at. All chosen, untested: far above what a person types.

/// The longest text of a query, in bytes.
pub const MOST_BYTES: usize = 64 * 1024;
/// Nodes and relationships in the patterns of a query, together.
pub const MOST_ELEMENTS: usize = 16;
/// Facts in a path of variable length.
pub const MOST_HOPS: u32 = 6;
/// Expressions within expressions.
pub const MOST_NESTED: usize = 64;
/// Columns that are returned, and values that rows are sorted by.
pub const MOST_COLUMNS: usize = 64;
/// Entities, facts and turns that are looked at before the query is given up.
pub const MOST_LOOKED_AT: u64 = 100_000;
/// Rows that are returned where the query gives no limit of its own.
pub const MOST_ROWS: usize = 10_000;
/// Turns or facts that a search within a query finds.
pub const MOST_FOUND: usize = 100;
