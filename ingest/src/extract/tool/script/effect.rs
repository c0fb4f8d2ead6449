//! What one command does to files, where it ended well.
//!
//! Known are the programs that write, remove and rename files by their operands, with the options that leave it at that, and
//! the ones that do nothing to files. What any other program does is not known: it may bring back what was gone.

use super::parse::Command;
use super::token::Word;

/// What a command does to files. Paths are as the command has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The file has other content, or is new.
    Writes(String),
    /// The file is there.
    Has(String),
    /// The path is gone, with all below it.
    Removes(String),
    /// The path is there and not known to be a file.
    HasFolder(String),
    /// Files that are not named are removed or replaced.
    Unclear,
    /// Files that are not named may be written.
    Unknown,
    /// What follows runs in another directory; in which, is not known where there is none.
    Enters(Option<String>),
}

use Effect::{Enters, Has, HasFolder, Removes, Unclear, Unknown, Writes};

/// Programs that do nothing to files.
const READING: [&str; 42] = [
    ":",
    "[",
    "basename",
    "cat",
    "chmod",
    "chown",
    "cmp",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "export",
    "false",
    "fgrep",
    "file",
    "grep",
    "head",
    "id",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "printf",
    "pwd",
    "readlink",
    "realpath",
    "rg",
    "set",
    "sha256sum",
    "sleep",
    "stat",
    "tail",
    "test",
    "tr",
    "true",
    "wc",
    "which",
    "whoami",
];

/// Commands of git that leave the files of the working tree as they are.
const GIT_READING: [&str; 14] = [
    "add",
    "blame",
    "commit",
    "config",
    "diff",
    "fetch",
    "log",
    "ls-files",
    "push",
    "remote",
    "rev-parse",
    "show",
    "status",
    "tag",
];

/// Names of files that have no extension.
const NAMES: [&str; 7] = [".env", ".gitignore", "Dockerfile", "LICENSE", "Makefile", "README", "justfile"];

/// Returns what a command does, in order. `is_file` says of a path whether it is known to be a file.
pub(super) fn effects(command: &Command, is_file: &dyn Fn(&str) -> bool) -> Vec<Effect> {
    let mut effects: Vec<Effect> = command.outputs.iter().filter_map(output).collect();
    if let Some((program, words)) = command.words.split_first() {
        match program.literal() {
            Some(program) => {
                let program =
                    ["/bin/", "/usr/bin/"].iter().find_map(|at| program.strip_prefix(at)).unwrap_or(program);
                effects.extend(run(program, words, is_file).unwrap_or_else(|| vec![Unclear]));
            }
            None => effects.push(Unclear),
        }
    }
    effects
}

fn output(word: &Word) -> Option<Effect> {
    match word.literal() {
        Some(path) if path.starts_with("/dev/") => None,
        Some(path) if !path.is_empty() => Some(Writes(path.to_owned())),
        _ => Some(Unclear),
    }
}

/// Returns what a program does; nothing where it is one of those that change files and does it in a way that is not followed.
fn run(program: &str, words: &[Word], is_file: &dyn Fn(&str) -> bool) -> Option<Vec<Effect>> {
    match program {
        "cd" => Some(vec![Enters(entered(words))]),
        "pushd" | "popd" | "." | "source" => Some(vec![Enters(None), Unknown]),
        "rm" => {
            let (_, paths) = operands(words, "rRfvd", &["dir", "force", "recursive", "verbose"])?;
            Some(paths.into_iter().map(Removes).collect())
        }
        "mv" => {
            let (options, paths) = operands(words, "fvT", &["force", "no-target-directory", "verbose"])?;
            moved(&paths, is_whole(&options), is_file)
        }
        "cp" => {
            let (options, paths) = operands(words, "fvpT", &["force", "no-target-directory", "verbose"])?;
            let targets = targets(&paths, is_whole(&options), is_file)?;
            Some(targets.into_iter().map(|(_, target)| Writes(target)).collect())
        }
        "touch" => {
            let (options, paths) = operands(words, "amc", &["no-create"])?;
            let makes = !options.iter().any(|option| matches!(option.as_str(), "c" | "no-create"));
            Some(paths.into_iter().filter(|_| makes).map(Has).collect())
        }
        "tee" => {
            let (_, paths) = operands(words, "aip", &["append"])?;
            Some(paths.into_iter().filter(|path| !path.starts_with("/dev/")).map(Writes).collect())
        }
        "mkdir" => {
            let (_, paths) = operands(words, "pv", &["parents", "verbose"])?;
            Some(paths.into_iter().map(HasFolder).collect())
        }
        "sed" => edited(words),
        "git" => git(words, is_file),
        "find" => {
            let changes = |word: &Word| {
                word.text.starts_with("-exec") || word.text.starts_with("-ok") || word.text == "-delete"
            };
            Some(if words.iter().any(changes) { vec![Unclear] } else { Vec::new() })
        }
        "xargs" | "parallel" | "rmdir" | "unlink" | "shred" => None,
        _ if READING.contains(&program) => Some(Vec::new()),
        _ if words.iter().any(|word| word.text.contains("clean")) => None,
        _ => Some(vec![Unknown]),
    }
}

fn entered(words: &[Word]) -> Option<String> {
    match words {
        [word] => word.literal().filter(|path| !path.is_empty() && !path.starts_with('-')).map(str::to_owned),
        _ => None,
    }
}

/// Parts words into options, each by its letter or its long name, and operands; nothing where an option is not among those
/// that are known, or a word is not known. Options count behind operands, too, as with the GNU tools.
fn operands(words: &[Word], letters: &str, names: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
    let (mut options, mut operands) = (Vec::new(), Vec::new());
    let mut is_over = false;
    for word in words {
        let word = word.literal()?;
        match word.strip_prefix('-') {
            Some("-") if !is_over => is_over = true,
            Some(option) if !is_over && !option.is_empty() => match option.strip_prefix('-') {
                Some(name) => options.push(names.contains(&name).then(|| name.to_owned())?),
                None => {
                    for letter in option.chars() {
                        options.push(letters.contains(letter).then(|| letter.to_string())?);
                    }
                }
            },
            _ if word.is_empty() || word == "-" => return None,
            _ => operands.push(word.to_owned()),
        }
    }
    Some((options, operands))
}

/// Says whether the last operand is taken as a whole, and never as a folder to put things into.
fn is_whole(options: &[String]) -> bool {
    options.iter().any(|option| matches!(option.as_str(), "T" | "no-target-directory"))
}

fn moved(paths: &[String], is_whole: bool, is_file: &dyn Fn(&str) -> bool) -> Option<Vec<Effect>> {
    let (_, sources) = paths.split_last()?;
    if sources.is_empty() {
        return None;
    }
    let gone = sources.iter().cloned().map(Removes);
    let Some(targets) = targets(paths, is_whole, is_file) else {
        // Where it went is not known, that it is gone is.
        return Some([Unclear].into_iter().chain(gone).collect());
    };
    let there = targets.into_iter().map(|(source, target)| {
        if is_named_as_file(&source) || is_file(&source) { Has(target) } else { HasFolder(target) }
    });
    Some(gone.chain(there).collect())
}

/// Returns where each of the first operands goes by the last one; nothing where that could be a file or a folder.
fn targets(
    paths: &[String],
    is_whole: bool,
    is_file: &dyn Fn(&str) -> bool,
) -> Option<Vec<(String, String)>> {
    let (target, sources) = paths.split_last()?;
    let is_folder = sources.len() > 1 || target.ends_with('/') || matches!(last_step(target), "." | "..");
    match sources {
        [] => None,
        [source] if is_whole || (!is_folder && (is_file(target) || is_named_as_file(target))) => {
            Some(vec![(source.clone(), target.clone())])
        }
        sources if is_folder && !is_whole => sources
            .iter()
            .map(|source| {
                let name = last_step(source.trim_end_matches('/'));
                let is_name = !matches!(name, "" | "." | "..");
                is_name.then(|| (source.clone(), format!("{}/{name}", target.trim_end_matches('/'))))
            })
            .collect(),
        _ => None,
    }
}

fn last_step(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Says whether a path is named as files are and folders are not: with an extension that is no number and no `.d`.
fn is_named_as_file(path: &str) -> bool {
    let name = last_step(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return NAMES.contains(&name) };
    let is_extension = (1..=8).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
        && extension != "d";
    NAMES.contains(&name) || (!stem.is_empty() && is_extension)
}

/// Reads `sed -i`, of GNU with the suffix of a copy behind the letter and of BSD with it as the next word.
fn edited(words: &[Word]) -> Option<Vec<Effect>> {
    let mut suffix = None;
    let mut has_script = false;
    let mut paths = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        // A script may hold anything, so only its place counts.
        let Some(text) = word.literal() else {
            if has_script || word.text.starts_with('-') {
                return suffix.is_none().then(Vec::new);
            }
            has_script = true;
            continue;
        };
        match text {
            "-e" | "--expression" => {
                words.next()?;
                has_script = true;
            }
            "-E" | "-n" | "-r" | "-s" | "-u" | "-z" => {}
            "-i" | "--in-place" => {
                suffix = Some("");
                words.next_if(|next| next.literal() == Some(""));
            }
            _ if text.starts_with("-i") || text.starts_with("--in-place=") => {
                // Letters of other options may be run together with it in front only.
                suffix = text.strip_prefix("--in-place=").or_else(|| text.strip_prefix("-i"));
            }
            _ if text.starts_with("-e") => has_script = true,
            _ if text.starts_with("--expression=") => has_script = true,
            "-Ei" | "-ri" | "-ni" => suffix = Some(""),
            _ if text.starts_with('-') => return None,
            _ if !has_script => has_script = true,
            _ => paths.push(text.to_owned()),
        }
    }
    let Some(suffix) = suffix else { return Some(Vec::new()) };
    if suffix.contains(['*', '/']) || paths.is_empty() {
        return None;
    }
    let copies = paths.iter().filter(|_| !suffix.is_empty()).map(|path| Has(format!("{path}{suffix}")));
    Some(copies.chain(paths.iter().cloned().map(Writes)).collect())
}

/// Reads `git mv` and `git rm`, which know patterns of their own.
fn git(words: &[Word], is_file: &dyn Fn(&str) -> bool) -> Option<Vec<Effect>> {
    let (command, words) = match words {
        [option, command, words @ ..] if option.literal() == Some("--no-pager") => (command, words),
        [command, words @ ..] => (command, words),
        [] => return Some(Vec::new()),
    };
    let is_pattern = |path: &String| path.contains(['*', '?', '[', '\\']) || path.starts_with(':');
    match command.literal()? {
        "mv" => {
            let (_, paths) = operands(words, "fv", &["force", "verbose"])?;
            moved(&paths, false, is_file)
        }
        "rm" => {
            let (options, paths) = operands(words, "rfq", &["cached", "force", "quiet"])?;
            if options.iter().any(|option| option == "cached") {
                return Some(Vec::new());
            }
            (!paths.iter().any(is_pattern)).then(|| paths.into_iter().map(Removes).collect())
        }
        command if GIT_READING.contains(&command) => Some(Vec::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::steps;
    use super::*;

    fn shown(text: &str) -> String {
        let steps = steps(text).expect("a command");
        let is_file = |path: &str| path == "known";
        let show = |effect: Effect| match effect {
            Writes(path) => format!("+{path}"),
            Has(path) => format!("={path}"),
            Removes(path) => format!("-{path}"),
            HasFolder(path) => format!("/{path}"),
            Unclear => "!".to_owned(),
            Unknown => "?".to_owned(),
            Enters(path) => format!(">{}", path.unwrap_or_default()),
        };
        let shown = steps.iter().flat_map(|step| effects(&step.command, &is_file)).map(show);
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_programs_do_by_their_operands_is_known() {
        for (text, expected) in [
            ("rm a b", "-a -b"),
            ("rm -rf -- -a", "--a"),
            ("/bin/rm a -f", "-a"),
            ("mv a.rs b.rs", "-a.rs =b.rs"),
            ("mv a b.rs", "-a /b.rs"),
            ("mv a.rs b", "! -a.rs"),
            ("mv -T a.rs b", "-a.rs =b"),
            ("mv a.rs known", "-a.rs =known"),
            ("mv a.rs src/ b/", "-a.rs -src/ =b/a.rs /b/src"),
            ("mv a.rs .", "-a.rs =./a.rs"),
            ("cp a.rs b.rs", "+b.rs"),
            ("cp a.rs b.rs d", "+d/a.rs +d/b.rs"),
            ("cp x/.env.example .env", "+.env"),
            ("cp a.rs v1.2", "!"),
            ("cp a.rs conf.d", "!"),
            ("cp -r a b.rs", "!"),
            ("touch a b", "=a =b"),
            ("touch -c a", ""),
            ("touch -d tomorrow a", "!"),
            ("echo x > a", "+a"),
            ("make >> a 2>/dev/null", "+a ?"),
            ("> a", "+a"),
            ("make 2>&1 | tee -a a", "? +a"),
            ("sed -i 's/a/b/' c d", "+c +d"),
            ("sed -i '' 's/a/b/' c", "+c"),
            ("sed -i.bak -e 's/a/b/' c", "=c.bak +c"),
            ("sed -i \"s/a/$B/\" c", "+c"),
            ("sed -n '1,5p' c", ""),
            ("sed -i -f script c", "!"),
            ("sed -i 's/a/b/'", "!"),
            ("git mv a.rs b.rs", "-a.rs =b.rs"),
            ("git rm -q a", "-a"),
            ("git rm --cached a", ""),
            ("git rm 'a*'", "!"),
            ("git add -A && git commit -m x", ""),
            ("git stash", "!"),
            ("mkdir -p a/b", "/a/b"),
            ("cd a", ">a"),
            ("cd", ">"),
            ("cd -", ">"),
            ("source a", "> ?"),
            ("ls a; cat b", ""),
            ("python a.py", "?"),
            ("make clean", "!"),
            ("find . -name a", ""),
            ("find . -delete", "!"),
            ("ls | xargs rm", "!"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn what_depends_on_what_is_not_seen_is_unclear() {
        for text in [
            "rm *.o",
            "rm $A",
            "rm -i a",
            "rm \"$A/b\"",
            "mv -n a.rs b.rs",
            "mv a",
            "mv $A b.rs",
            "cp a.rs $B",
            "cp -n a.rs b.rs",
            "echo x > $A",
            "echo x > ~/a",
            "sed -i s/a/b/ *.rs",
            "touch {a,b}",
            "$RM a",
            "rm ''",
            "tee -x a",
        ] {
            assert!(shown(text).contains('!'), "{text}: {}", shown(text));
        }
    }
}
