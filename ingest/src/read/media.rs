//! What stands in a turn's text for an image, a sound or a file; its bytes stay in the kept record.

/// Shows where it is; of one that stands in its own address only how long that is.
pub(super) fn media_note(kind: &str, address: &str) -> String {
    match address.strip_prefix("data:") {
        _ if address.is_empty() => format!("[{kind}]"),
        Some(data) => {
            let media = data.split([';', ',']).next().unwrap_or_default();
            format!("[{kind} {media}, {} bytes]", data.len())
        }
        None => format!("[{kind} {address}]"),
    }
}
