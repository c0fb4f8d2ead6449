//! The words and signs of a shell command, as POSIX sets them apart (POSIX.1-2024, Shell Command Language, sections 2.2, 2.3
//! and 2.7.4), with `&>` and `|&` of bash.
//!
//! Nothing is expanded. A word that the shell would expand, by a parameter, a pattern, braces or a tilde, is one of which the
//! text is not known; a text with commands in it that the words do not show, as by substitution or in a subshell, is refused
//! as a whole.

use std::iter::Peekable;
use std::str::Chars;

/// A word with its quotes taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Its text, without what the shell would put in.
    pub(super) text: String,
    /// Whether the shell would hand it on as it is.
    pub(super) is_literal: bool,
}

impl Word {
    /// Returns the text that the command gets; nothing where it depends on what is not seen.
    pub(super) fn literal(&self) -> Option<&str> {
        self.is_literal.then_some(self.text.as_str())
    }
}

/// A piece of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word.
    Word(Word),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`, `|&`
    Pipe,
    /// `;`, the end of a line.
    End,
    /// Output goes to the file that the next word names: `>`, `>>`, `>|`, `&>`, `&>>`.
    Into,
    /// The next word says where input comes from, or which output goes where another one goes: nothing is written.
    Aside,
}

/// A document in the command, below its line.
struct Here {
    delimiter: String,
    /// Tabs in front of its lines do not count.
    is_indented: bool,
    /// The shell puts nothing into it.
    is_quoted: bool,
}

/// Parts a command into words and signs; nothing where it is refused.
pub(super) fn tokens(command: &str) -> Option<Vec<Token>> {
    let mut lexer = Lexer { chars: command.chars().peekable(), tokens: Vec::new(), below: Vec::new() };
    lexer.run()?;
    Some(lexer.tokens)
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    tokens: Vec<Token>,
    /// The documents that start below this line.
    below: Vec<Here>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Option<()> {
        while let Some(&next) = self.chars.peek() {
            match next {
                ' ' | '\t' | '\r' => drop(self.chars.next()),
                '\n' => {
                    self.chars.next();
                    self.tokens.push(Token::End);
                    self.skip_documents()?;
                }
                '#' => while self.chars.next_if(|c| *c != '\n').is_some() {},
                ';' => {
                    self.chars.next();
                    // `;;` ends a case.
                    if self.is_next(';') {
                        return None;
                    }
                    self.tokens.push(Token::End);
                }
                '|' => {
                    self.chars.next();
                    let token = if self.takes('|') { Token::Or } else { Token::Pipe };
                    if token == Token::Pipe {
                        self.takes('&');
                    }
                    self.tokens.push(token);
                }
                '&' => self.ampersand()?,
                '>' => self.output()?,
                '<' => self.input()?,
                '(' | ')' => return None,
                _ => self.word_or_descriptor()?,
            }
        }
        self.below.is_empty().then_some(())
    }

    fn is_next(&mut self, wanted: char) -> bool {
        self.chars.peek() == Some(&wanted)
    }

    fn takes(&mut self, wanted: char) -> bool {
        self.chars.next_if_eq(&wanted).is_some()
    }

    /// What is sent to the background says nothing by its status.
    fn ampersand(&mut self) -> Option<()> {
        self.chars.next();
        if self.takes('&') {
            self.tokens.push(Token::And);
        } else if self.takes('>') {
            self.takes('>');
            self.tokens.push(Token::Into);
        } else {
            return None;
        }
        Some(())
    }

    fn output(&mut self) -> Option<()> {
        self.chars.next();
        if self.is_next('(') {
            return None;
        }
        if self.takes('&') {
            // `>&2` is a descriptor, `>& file` a file.
            let is_descriptor = self.chars.peek().is_some_and(|c| c.is_ascii_digit() || *c == '-');
            self.tokens.push(if is_descriptor { Token::Aside } else { Token::Into });
            return Some(());
        }
        if !self.takes('>') {
            self.takes('|');
        }
        self.tokens.push(Token::Into);
        Some(())
    }

    fn input(&mut self) -> Option<()> {
        self.chars.next();
        if !self.takes('<') {
            // `<>` opens for both, `<(` is a substitution.
            if self.is_next('>') || self.is_next('(') {
                return None;
            }
            self.takes('&');
            self.tokens.push(Token::Aside);
            return Some(());
        }
        if self.takes('<') {
            self.tokens.push(Token::Aside);
            return Some(());
        }
        let is_indented = self.takes('-');
        while self.chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let (delimiter, is_quoted) = self.word()?;
        let delimiter = delimiter.literal()?.to_owned();
        self.below.push(Here { delimiter, is_indented, is_quoted });
        Some(())
    }

    fn skip_documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.below) {
            loop {
                let mut line = String::new();
                // Without another line the document does not end.
                self.chars.peek()?;
                while let Some(c) = self.chars.next_if(|c| *c != '\n') {
                    line.push(c);
                }
                self.chars.next();
                let line = line.strip_suffix('\r').unwrap_or(&line);
                let line = if document.is_indented { line.trim_start_matches('\t') } else { line };
                if line == document.delimiter {
                    break;
                }
                if !document.is_quoted && (line.contains("$(") || line.contains('`')) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Digits right before a sign of redirection are the descriptor.
    fn word_or_descriptor(&mut self) -> Option<()> {
        let (word, is_quoted) = self.word()?;
        let is_descriptor = !is_quoted
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
            && self.chars.peek().is_some_and(|c| matches!(c, '<' | '>'));
        // A line that goes on below leaves nothing behind.
        let is_nothing = !is_quoted && word.text.is_empty();
        if !(word.is_literal && (is_nothing || is_descriptor)) {
            self.tokens.push(Token::Word(word));
        }
        Some(())
    }

    /// Reads a word, and says whether any of it was quoted.
    fn word(&mut self) -> Option<(Word, bool)> {
        let mut word = Word { text: String::new(), is_literal: true };
        let mut is_quoted = false;
        let mut is_first = true;
        while let Some(&next) = self.chars.peek() {
            match next {
                ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '<' | '>' => break,
                '(' | ')' | '`' => return None,
                '\'' => {
                    self.chars.next();
                    is_quoted = true;
                    loop {
                        match self.chars.next()? {
                            '\'' => break,
                            c => word.text.push(c),
                        }
                    }
                }
                '"' => {
                    self.chars.next();
                    is_quoted = true;
                    self.double_quoted(&mut word)?;
                }
                '\\' => {
                    self.chars.next();
                    match self.chars.next()? {
                        '\n' => {}
                        c => {
                            is_quoted = true;
                            word.text.push(c);
                        }
                    }
                }
                '$' => self.dollar(&mut word, false)?,
                '*' | '?' | '[' | '{' => {
                    self.chars.next();
                    word.text.push(next);
                    // `[` and `{` alone are words of their own.
                    let is_alone = is_first && self.chars.peek().is_none_or(|c| c.is_whitespace());
                    word.is_literal &= is_alone && matches!(next, '[' | '{');
                }
                '~' if is_first => {
                    self.chars.next();
                    word.text.push(next);
                    word.is_literal = false;
                }
                c => {
                    self.chars.next();
                    word.text.push(c);
                }
            }
            is_first = false;
        }
        Some((word, is_quoted))
    }

    fn double_quoted(&mut self, word: &mut Word) -> Option<()> {
        loop {
            match *self.chars.peek()? {
                '"' => {
                    self.chars.next();
                    return Some(());
                }
                '`' => return None,
                '$' => self.dollar(word, true)?,
                '\\' => {
                    self.chars.next();
                    match self.chars.next()? {
                        '\n' => {}
                        c @ ('$' | '`' | '"' | '\\') => word.text.push(c),
                        c => word.text.extend(['\\', c]),
                    }
                }
                c => {
                    self.chars.next();
                    word.text.push(c);
                }
            }
        }
    }

    /// Reads a parameter, which makes the word one that is not known. A dollar sign before anything else is one.
    fn dollar(&mut self, word: &mut Word, is_in_quotes: bool) -> Option<()> {
        self.chars.next();
        match self.chars.peek() {
            Some('(') => return None,
            Some('\'' | '"') if !is_in_quotes => return None,
            Some('{') => {
                word.is_literal = false;
                loop {
                    match self.chars.next()? {
                        '}' => break,
                        '`' | '$' | '\'' | '"' | '\\' => return None,
                        _ => {}
                    }
                }
            }
            Some(c) if c.is_ascii_alphabetic() || *c == '_' => {
                word.is_literal = false;
                while self.chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '?' | '@' | '*' | '#' | '!' | '$' | '-') => {
                word.is_literal = false;
                self.chars.next();
            }
            _ => word.text.push('$'),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(command: &str) -> Option<String> {
        let show = |token: &Token| match token {
            Token::Word(word) if word.is_literal => format!("[{}]", word.text),
            Token::Word(word) => format!("[{}…]", word.text),
            Token::And => "&&".to_owned(),
            Token::Or => "||".to_owned(),
            Token::Pipe => "|".to_owned(),
            Token::End => ";".to_owned(),
            Token::Into => ">".to_owned(),
            Token::Aside => "<".to_owned(),
        };
        Some(tokens(command)?.iter().map(show).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_and_signs_are_set_apart_as_a_shell_does() {
        for (command, expected) in [
            ("rm a 'b c' \"d\\\"e\" f\\ g", "[rm] [a] [b c] [d\"e] [f g]"),
            ("a&&b||c|d;e\nf", "[a] && [b] || [c] | [d] ; [e] ; [f]"),
            ("make >out.txt 2>&1", "[make] > [out.txt] < [1]"),
            ("make &>> 'o p' </dev/null", "[make] > [o p] < [/dev/null]"),
            ("echo 2 >a", "[echo] [2] > [a]"),
            ("echo '2'>a", "[echo] [2] > [a]"),
            ("x >&2 >| y", "[x] < [2] > [y]"),
            ("a # b; c\nd", "[a] ; [d]"),
            ("echo a#b", "[echo] [a#b]"),
            ("a \\\n b", "[a] [b]"),
            ("rm $A \"x$B/y\" ${C}z a*.c {b,c} ~/d", "[rm] […] [x/y…] [z…] [a*.c…] [{b,c}…] [~/d…]"),
            ("echo \"5$\" a$", "[echo] [5$] [a$]"),
            ("[ -f a ] && rm '*'", "[[] [-f] [a] []] && [rm] [*]"),
            ("cat > f <<'EOF'\n$(rm x)\n `y`\nEOF\nls", "[cat] > [f] ; [ls]"),
            ("cat > f <<-E\n\t$HOME 'x\n\tE", "[cat] > [f] ;"),
            ("a <<X <<Y\n1\nX\n2\nY\nb", "[a] ; [b]"),
            ("cat <<<word > f", "[cat] < [word] > [f]"),
            ("", ""),
        ] {
            assert_eq!(shown(command).as_deref(), Some(expected), "{command}");
        }
    }

    #[test]
    fn what_has_commands_inside_is_refused() {
        for command in [
            "rm $(cat list)",
            "rm `cat list`",
            "rm \"$(cat list)\"",
            "rm \"`cat list`\"",
            "(cd a && rm b)",
            "f() { rm a; }",
            "diff <(a) b",
            "a > >(tee b)",
            "server > log &",
            "a & b",
            "case a in b) c;; esac",
            "rm 'a",
            "rm \"a",
            "rm a\\",
            "cat > f <<EOF\nx",
            "cat > f <<EOF",
            "cat > f <<EOF\n$(rm f)\nEOF",
            "cat > f <<$X\n$X",
            "rm $'a\\n'",
            "rm ${A:-$B}",
            "cat <> f",
        ] {
            assert_eq!(shown(command), None, "{command}");
        }
    }
}
