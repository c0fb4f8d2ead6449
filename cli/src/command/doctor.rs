//! `bygone doctor`: what is wrong with a store, and what to run.
//!
//! A store that does not open is a finding like any other. Nothing is changed but the indexes, which every search brings up to
//! date.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bygone_engine::StoreError;
use bygone_engine::backend::Rocks;
use bygone_engine::store::{FORMAT_VERSION, Store, Verification};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::Context;
use crate::table::shown;

#[derive(clap::Args)]
pub(crate) struct Doctor {}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It is as it must be.
    Sound,
    /// Worth knowing; nothing is lost or wrong.
    Note,
    /// Answers may be wrong or missing.
    Fault,
}

impl Grade {
    const fn name(self) -> &'static str {
        match self {
            Grade::Sound => "ok",
            Grade::Note => "note",
            Grade::Fault => "fault",
        }
    }
}

/// Something that was found, and the command that helps.
struct Finding {
    grade: Grade,
    what: String,
    run: Option<String>,
}

impl Finding {
    fn new(grade: Grade, what: impl Into<String>, run: Option<&str>) -> Finding {
        Finding { grade, what: what.into(), run: run.map(str::to_owned) }
    }
}

impl Doctor {
    #[expect(clippy::unused_self, reason = "every command is called alike")]
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let folder = context.global.store.clone();
        let (opened, mut output) = context.store_or_why();
        let mut findings = match opened {
            Ok(store) => of_store(store, &folder)?,
            // Whoever has it can be asked.
            Err(error @ StoreError::Busy { .. }) => return Err(error.into()),
            Err(error) => vec![of_failure(&error)],
        };
        findings.extend(of_folder(&folder));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.grade));
        for Finding { grade, what, run } in &findings {
            if output.json {
                output.row(&json!({ "state": grade.name(), "what": what, "run": run }))?;
            } else {
                let run = run.as_ref().map(|run| format!("; run: {run}")).unwrap_or_default();
                output.line(format!("{:<5}  {what}{run}", grade.name()))?;
            }
        }
        let is_faulty = findings.iter().any(|finding| finding.grade == Grade::Fault);
        Ok(if is_faulty { Exit::Corrupt } else { Exit::Done })
    }
}

/// What helps where rows of the store are damaged.
const RESTORE: &str = "bygone --store NEW restore BACKUP";
/// What helps where the store is of a version that this program does not read.
const ELSEWHERE: &str =
    "bygone export > FILE with the program that wrote it, and bygone --store NEW import FILE here";
const REINDEX: &str = "bygone reindex";

/// Says what is wrong with a store that does not open.
fn of_failure(error: &StoreError) -> Finding {
    let run = match error {
        StoreError::NoStore(_) => Some("bygone init".to_owned()),
        StoreError::Corrupt(_) => Some(RESTORE.to_owned()),
        StoreError::OlderLayout { .. } | StoreError::NewerFormat { .. } => Some(ELSEWHERE.to_owned()),
        StoreError::NotAStore(folder) if bygone_engine::store::is_backup(folder) => {
            Some(format!("bygone --store NEW restore {}", shown(&folder.to_string_lossy())))
        }
        _ => None,
    };
    Finding::new(Grade::Fault, error.to_string(), run.as_deref())
}

/// Checks every space of a store, and its indexes.
fn of_store(store: &Store, folder: &Path) -> Result<Vec<Finding>, Failure> {
    let what = format!("the stored format is version {FORMAT_VERSION}, the newest that this bygone knows");
    let mut findings = vec![Finding::new(Grade::Sound, what, None)];
    for name in store.spaces()? {
        let space = store.space(&name, false)?;
        match space.verify() {
            Ok(found) => findings.extend(of_space(&name, &found)),
            Err(StoreError::Interrupted) => return Err(StoreError::Interrupted.into()),
            Err(error) => {
                findings.push(Finding::new(Grade::Fault, format!("space {name}: {error}"), Some(RESTORE)));
            }
        }
        // Where the table does not read, the check of the space has told it.
        let n_set_aside = space.snapshot().quarantined().map_or(0, |records| records.len() as u64);
        if n_set_aside > 0 {
            let what = format!("space {name}: {} set aside, since unreadable", count(n_set_aside, "record"));
            findings.push(Finding::new(
                Grade::Note,
                what,
                Some("bygone ingest PATH, once the source is mended"),
            ));
        }
    }
    let mut found = Verification::default();
    match store.verify_indexes(&mut found) {
        Ok(()) if found.faults.is_empty() => {
            findings.push(Finding::new(Grade::Sound, "both indexes hold what the store makes", None));
        }
        Ok(()) => {}
        Err(error @ (StoreError::OtherModel { .. } | StoreError::OtherDimension { .. })) => {
            findings.push(Finding::new(Grade::Fault, error.to_string(), Some(REINDEX)));
        }
        Err(error) => findings.push(Finding::new(Grade::Fault, error.to_string(), None)),
    }
    for fault in found.faults {
        findings.push(Finding::new(Grade::Fault, fault, Some(REINDEX)));
    }
    for index in found.made_anew {
        let what = format!("{index}: what was on disk could not be used, and was made anew");
        findings.push(Finding::new(Grade::Note, what, None));
    }
    if !Rocks::knows_acknowledged(folder) {
        let what = "which commits were acknowledged is not known until the next one, since the file ACKNOWLEDGED is \
                    missing or unreadable: the last ones may be lost";
        findings.push(Finding::new(Grade::Note, what, None));
    }
    if std::fs::metadata(folder).is_ok_and(|folder| folder.mode() & 0o077 != 0) {
        let what = "others on this machine may open the store's folder";
        let run = format!("chmod 700 {}", shown(&folder.to_string_lossy()));
        findings.push(Finding::new(Grade::Note, what, Some(&run)));
    }
    Ok(findings)
}

/// Says what the check of a space came to.
fn of_space(name: &str, found: &Verification) -> Vec<Finding> {
    if found.faults.is_empty() {
        let what = format!(
            "space {name}: {}, {}, {}, all sound",
            count(found.episodes, "episode"),
            count(found.assertions, "statement"),
            count(found.groups, "group"),
        );
        return vec![Finding::new(Grade::Sound, what, None)];
    }
    let fault = |fault| Finding::new(Grade::Fault, format!("space {name}: {fault}"), Some(RESTORE));
    found.faults.iter().map(fault).collect()
}

/// Tells of what a copy that was cut off left beside the store.
fn of_folder(folder: &Path) -> Option<Finding> {
    let left = format!("{}.new", folder.to_string_lossy());
    let what = format!("a backup or a restore was cut off, and left {}", shown(&left));
    let run = format!("rm -r {}", shown(&left));
    Path::new(&left).is_dir().then(|| Finding::new(Grade::Note, what, Some(&run)))
}
