//! The built-in table of what words mean, which is there whatever embedder a store has.

use std::sync::LazyLock;

use bygone_engine::embed::StaticEmbedder;

/// Nothing where the binary was built with a broken one.
static TABLE: LazyLock<Option<StaticEmbedder>> = LazyLock::new(|| StaticEmbedder::built_in().ok());

/// Returns the table.
pub(super) fn table() -> Option<&'static StaticEmbedder> {
    TABLE.as_ref()
}
