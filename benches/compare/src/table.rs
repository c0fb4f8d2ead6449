//! The one table: what was measured on both sides, and the ratio with its spread.
//!
//! A ratio is ours by theirs: less is better where a cost is measured, more where a rate is.

use crate::measure::{Side, median};

/// Prints a line before a section, and the heads of its columns.
pub(crate) fn section(title: &str) {
    println!("\n{title:<58} {:>10} {:>10} {:>8}  spread", "bygone", "other", "ratio");
}

/// Prints a line before a section of questions, and the heads of its columns.
pub(crate) fn section_of_questions(title: &str) {
    print!("\n{title:<52} {:>5}", "rows");
    for clock in ["p50 µs", "p99 µs", "CPU µs"] {
        print!(" | {clock:>8} {:>8} {:>7} {:<11}", "other", "ratio", "spread");
    }
    println!();
}

/// Prints one measurement: the medians of both sides, the median of the ratios, and the least and greatest of them.
pub(crate) fn row(what: &str, ours: &[f64], theirs: &[f64]) {
    let (ratio, spread) = ratio(ours, theirs);
    println!("{what:<58} {:>10} {:>10} {ratio:>8}  {spread}", figure(median(ours)), figure(median(theirs)));
}

/// Prints what questions of one kind took on both sides.
pub(crate) fn questions(what: &str, rows: f64, ours: &Side, theirs: &Side) {
    print!("{what:<52} {rows:>5.1}");
    for (ours, theirs) in [(&ours.p50, &theirs.p50), (&ours.p99, &theirs.p99), (&ours.cpu, &theirs.cpu)] {
        let (ratio, spread) = ratio(ours, theirs);
        print!(" | {:>8} {:>8} {ratio:>7} {spread:<11}", figure(median(ours)), figure(median(theirs)));
    }
    println!();
}

/// Prints one measurement of ours alone.
pub(crate) fn alone(what: &str, value: f64, unit: &str) {
    println!("{what:<58} {:>10} {unit}", figure(value));
}

fn ratio(ours: &[f64], theirs: &[f64]) -> (String, String) {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a / b).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    (figure(median(&ratios)), format!("{}–{}", figure(least), figure(most)))
}

fn figure(value: f64) -> String {
    match value {
        value if value >= 1_000.0 => format!("{value:.0}"),
        value if value >= 100.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
