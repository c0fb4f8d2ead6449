//! Which program makes a run, and on which machine.

use std::sync::LazyLock;

use bygone_eval::dataset::file::identify;

/// Returns the hash of the program's file: programs of other code have another one.
pub(super) fn build() -> &'static str {
    static BUILD: LazyLock<String> = LazyLock::new(|| {
        let file = std::env::current_exe().ok().and_then(|path| identify(&path).ok());
        file.map_or_else(|| "unknown".to_owned(), |file| file.hash)
    });
    &BUILD
}

/// Returns the system, the architecture, and what is known of the processor.
pub(super) fn name() -> &'static str {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        let described = fs_err::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let model = model.map_or_else(String::new, |(_, model)| format!(", {}", model.trim()));
        format!("{system} {architecture}, {cores} cores{model}")
    });
    &NAME
}
