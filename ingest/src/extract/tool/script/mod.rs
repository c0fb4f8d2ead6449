//! Which files a shell command changed, by its text, where it ended well.
//!
//! Not every command is read: what the shell would have expanded, repeated or decided is refused and never guessed, and of
//! what is read only that counts which must have happened for the whole to end well and which nothing after it may have
//! undone. What a program does that is not among the known ones is not known; that a file is gone is therefore not said where
//! such a program ran after.

mod effect;
mod parse;
mod status;
mod token;

pub(super) use status::{Open, open};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use bygone_engine::{EntityRef, Object};

use super::call::Answer;
use super::file::{EXISTS, absolute, is};
use super::propose::event;
use super::shell;
use crate::candidate::Candidate;
use effect::{Effect, effects};
use parse::{Command, Step};
use token::Word;

const RULE: &str = "tool.script/1";

/// Reads a command that ended well. `files` are those that the session is known to have.
pub(super) fn read(answer: &Answer<'_>, files: &BTreeSet<String>, candidates: &mut Vec<Candidate>) {
    let Some(steps) = steps(answer) else {
        return;
    };
    let directory = answer.directory();
    // A shell of Windows has other words and other paths.
    if directory.as_deref().is_some_and(|at| at.as_bytes().get(1) == Some(&b':') || at.contains('\\')) {
        return;
    }
    let changes = changes(&steps, directory.as_deref(), files);
    for path in &changes.written {
        if let Ok(file) = EntityRef::new("file", path) {
            candidates.push(event(answer.turn, answer.span, RULE, "wrote", Object::Entity(file)));
        }
    }
    for (path, is_there) in &changes.stands {
        if let Ok(file) = EntityRef::new("file", path) {
            candidates.push(is(answer, RULE, file, if *is_there { EXISTS } else { "deleted" }));
        }
    }
}

/// Returns the commands of a call: those of a text, or the one that was given word by word.
fn steps(answer: &Answer<'_>) -> Option<Vec<Step>> {
    let Some(words) = shell::words(answer.call) else {
        return parse::steps(&shell::command(answer.call)?);
    };
    let words = words.into_iter().map(|text| Word { text, is_literal: true }).collect();
    let command = Command { words, outputs: Vec::new() };
    Some(vec![Step { command, is_proven: true, is_apart: false }])
}

/// What commands did, by absolute paths where it is known on what they stand.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    written: BTreeSet<String>,
    /// Whether a path is there in the end.
    stands: BTreeMap<String, bool>,
}

fn changes(steps: &[Step], directory: Option<&str>, files: &BTreeSet<String>) -> Changes {
    let mut changes = Changes::default();
    // The directory that commands run in; the inner one is that of the session, which may be unknown.
    let mut at: Option<Option<String>> = Some(directory.map(str::to_owned));
    for step in steps {
        let is_file = |path: &str| {
            let place = placed(path, at.as_ref());
            place.is_some_and(|path| {
                changes.stands.get(&path).copied().unwrap_or_else(|| files.contains(&path))
            })
        };
        let done = effects(&step.command, &is_file);
        for effect in done {
            if let Effect::Enters(to) = effect {
                if !step.is_apart {
                    let to = to.filter(|to| step.is_proven || to.starts_with('/'));
                    at = to.and_then(|to| placed(&to, at.as_ref())).filter(|_| step.is_proven).map(Some);
                }
            } else {
                changes.follow(&effect, step.is_proven, at.as_ref(), files);
            }
        }
    }
    changes
}

impl Changes {
    fn follow(
        &mut self,
        effect: &Effect,
        is_proven: bool,
        at: Option<&Option<String>>,
        files: &BTreeSet<String>,
    ) {
        let path = match effect {
            Effect::Writes(path) | Effect::Has(path) | Effect::Removes(path) | Effect::HasFolder(path) => {
                placed(path, at).filter(|_| is_proven)
            }
            Effect::Unknown => {
                self.stands.retain(|_, is_there| *is_there);
                return;
            }
            Effect::Unclear | Effect::Enters(_) => None,
        };
        let Some(path) = path else {
            self.stands.clear();
            return;
        };
        match effect {
            Effect::Removes(_) => {
                let below = format!("{path}/");
                let known = files.range::<str, _>((Bound::Included(below.as_str()), Bound::Unbounded));
                let known: Vec<String> = known.take_while(|file| file.starts_with(&below)).cloned().collect();
                for (file, is_there) in &mut self.stands {
                    *is_there &= !file.starts_with(&below);
                }
                self.stands.extend(known.into_iter().chain([path]).map(|file| (file, false)));
            }
            Effect::Writes(_) | Effect::Has(_) | Effect::HasFolder(_) => {
                // What is there stands in folders that are there.
                let is_above =
                    |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
                self.stands.retain(|folder, is_there| *is_there || !(is_above(folder) || *folder == path));
                if matches!(effect, Effect::Writes(_)) {
                    self.written.insert(path.clone());
                }
                if !matches!(effect, Effect::HasFolder(_)) {
                    self.stands.insert(path, true);
                }
            }
            Effect::Unclear | Effect::Unknown | Effect::Enters(_) => {}
        }
    }
}

/// Returns a path seen from a directory; nothing where that is not known and the path stands on it.
fn placed(path: &str, at: Option<&Option<String>>) -> Option<String> {
    match at {
        Some(at) => Some(absolute(path, at.as_deref())),
        None => path.starts_with('/').then(|| absolute(path, None)),
    }
    .map(|path| if path.len() > 1 { path.trim_end_matches('/').to_owned() } else { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what a command did in `/p`, where `/p/src/old.rs` is a file: `+` written, `=` there, `-` gone.
    fn shown(command: &str) -> Option<String> {
        let files = BTreeSet::from(["/p/src/old.rs".to_owned()]);
        let changes = changes(&parse::steps(command)?, Some("/p"), &files);
        let written = changes.written.iter().map(|path| format!("+{path}"));
        let stands = changes.stands.iter().map(|(path, is_there)| match is_there {
            true => format!("={path}"),
            false => format!("-{path}"),
        });
        Some(written.chain(stands).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_must_have_happened_is_read() {
        for (command, expected) in [
            ("rm a", "-/p/a"),
            ("cd sub && rm a ../b", "-/p/b -/p/sub/a"),
            ("cd /q; rm /x/a", "-/x/a"),
            ("cd sub || exit 1\nrm a", "-/p/sub/a"),
            ("cat > a.py <<'EOF'\nimport os; os.remove('a.py')\nEOF\n", "+/p/a.py =/p/a.py"),
            ("cat > a.py <<'EOF'\nx\nEOF\npython a.py", ""),
            ("set -e\ncat > a.py <<'EOF'\nx\nEOF\npython a.py", "+/p/a.py =/p/a.py"),
            ("echo x > a && rm a", "+/p/a -/p/a"),
            ("echo x > a && python run.py && rm a", "+/p/a -/p/a"),
            ("rm -rf src", "-/p/src -/p/src/old.rs"),
            ("rm -rf src && mkdir src", "-/p/src/old.rs"),
            ("rm -rf src && mkdir -p src && touch src/old.rs", "=/p/src/old.rs"),
            ("mv src/old.rs src/new.rs", "=/p/src/new.rs -/p/src/old.rs"),
            ("mv new src/old.rs", "-/p/new"),
            ("git mv a.rs b.rs && git commit -qm 'moved'", "-/p/a.rs =/p/b.rs"),
            ("make 2>&1 | tee build.log", "+/p/build.log =/p/build.log"),
            ("cargo test > out.txt 2>&1", "+/p/out.txt =/p/out.txt"),
            ("sed -i 's/a/b/' src/old.rs && grep b src/old.rs", "+/p/src/old.rs =/p/src/old.rs"),
            ("touch a; ls", ""),
            ("rm a; echo done", ""),
            ("rm a || true", ""),
            ("rm a | cat", ""),
            ("make > a | cat", ""),
            ("cd sub | cat; rm a", "-/p/a"),
        ] {
            assert_eq!(shown(command).as_deref(), Some(expected), "{command}");
        }
    }

    #[test]
    fn what_may_have_been_undone_or_be_elsewhere_is_not_said() {
        for (command, expected) in [
            ("cd sub; rm a", ""),
            ("cd $DIR && rm a", ""),
            ("source env && rm a", ""),
            ("rm db.sqlite && python migrate.py", ""),
            ("rm a && mv x.rs b && ls", "-/p/x.rs"),
            ("touch a && rm *.o", ""),
            ("touch a && git stash", ""),
            ("rm \"$F\" && touch a", "=/p/a"),
            ("rm a && touch $F", ""),
            ("cp a.rs dir", ""),
        ] {
            assert_eq!(shown(command).as_deref(), Some(expected), "{command}");
        }
        for command in
            ["rm $(ls)", "for f in a b; do rm $f; done", "(cd x && rm a)", "if true; then rm a; fi", "rm a &"]
        {
            assert_eq!(shown(command), None, "{command}");
        }
    }
}
