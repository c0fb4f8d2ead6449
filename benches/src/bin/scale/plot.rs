//! Curves as SVG: six small charts with a common style, sizes on a logarithmic axis.
//!
//! Nothing but the report decides the picture: the same report draws the same bytes.

use std::fmt::Write as _;

use serde_json::Value;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 340.0;
/// Room for titles, labels and legends around the area of a chart.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 76.0;
/// Rows of a legend, below the sizes.
const LEGEND_ROWS: usize = 3;
const COLUMNS: usize = 2;
/// Told apart without colour by their order in the legend, and with most kinds of colour blindness (Okabe and Ito 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// A curve: what it shows, and its points.
struct Curve {
    name: String,
    is_dashed: bool,
    points: Vec<(f64, f64)>,
}

struct Chart {
    title: &'static str,
    curves: Vec<Curve>,
}

/// Draws a report.
pub(crate) fn svg(report: &Value) -> String {
    let charts: Vec<Chart> = charts(report).into_iter().filter(|chart| !chart.is_empty()).collect();
    let rows = charts.len().div_ceil(COLUMNS);
    let [width, height] = [size(COLUMNS) * WIDTH, size(rows) * HEIGHT];
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (at, chart) in charts.iter().enumerate() {
        let [x, y] = [size(at % COLUMNS) * WIDTH, size(at / COLUMNS) * HEIGHT];
        writeln!(text, "<g transform=\"translate({x} {y})\">\n{}</g>", chart.drawn()).expect("a string");
    }
    text.push_str("</svg>\n");
    text
}

#[expect(clippy::cast_precision_loss, reason = "a few")]
fn size(count: usize) -> f64 {
    count as f64
}

fn charts(report: &Value) -> Vec<Chart> {
    let curve = |of: &str, name: &str, path: &[&str]| Curve {
        name: name.to_owned(),
        is_dashed: path.last().is_some_and(|last| last.starts_with("p99")),
        points: points(report, of, path),
    };
    let mut reads = Vec::new();
    let shapes = report["statements"][0]["reads"].as_object();
    for shape in shapes.into_iter().flat_map(serde_json::Map::keys) {
        reads.push(curve("statements", shape, &["reads", shape, "p50_us"]));
    }
    let mut slowest = Vec::new();
    for shape in shapes.into_iter().flat_map(serde_json::Map::keys) {
        slowest.push(curve("statements", shape, &["reads", shape, "p99_us"]));
    }
    vec![
        Chart {
            title: "loaded a CPU-second",
            curves: vec![
                curve("statements", "statements", &["load", "a_cpu_second"]),
                curve("turns", "turns", &["ingest", "a_cpu_second"]),
                curve("turns", "turns indexed", &["index", "a_cpu_second"]),
            ],
        },
        Chart {
            title: "bytes on disk",
            curves: vec![
                curve("statements", "a statement", &["bytes_a_statement"]),
                curve("statements", "a statement, as loaded", &["bytes_a_statement_as_loaded"]),
                curve("turns", "a turn, indexes included", &["bytes_a_turn"]),
            ],
        },
        Chart { title: "a read, median, µs", curves: reads },
        Chart { title: "a read, one in a hundred, µs", curves: slowest },
        Chart {
            title: "a search, µs",
            curves: vec![
                curve("turns", "median", &["search", "p50_us"]),
                curve("turns", "one in a hundred", &["search", "p99_us"]),
            ],
        },
        Chart {
            title: "resident memory, MB, and opening, ms",
            curves: vec![
                curve("statements", "statements at rest, MB", &["resident_at_rest_mb"]),
                curve("statements", "statements after reads, MB", &["resident_after_reads_mb"]),
                curve("turns", "turns at rest, MB", &["resident_at_rest_mb"]),
                curve("turns", "turns after searches, MB", &["resident_after_searches_mb"]),
                curve("statements", "opening statements, ms", &["open", "ms"]),
                curve("turns", "opening turns, ms", &["open", "ms"]),
            ],
        },
    ]
}

/// Returns size and value of each row of a part of the report that has both.
fn points(report: &Value, of: &str, path: &[&str]) -> Vec<(f64, f64)> {
    let rows = report[of].as_array().map_or(&[][..], Vec::as_slice);
    let point = |row: &Value| {
        let value = path.iter().fold(row, |value, key| &value[*key]).as_f64()?;
        (value > 0.0).then_some((row[of].as_f64()?, value))
    };
    rows.iter().filter_map(point).collect()
}

impl Chart {
    fn is_empty(&self) -> bool {
        self.curves.iter().all(|curve| curve.points.is_empty())
    }

    fn drawn(&self) -> String {
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let across = Axis::over(all().map(|(size, _)| size), LEFT, WIDTH - RIGHT);
        let up = Axis::over(all().map(|(_, value)| value), HEIGHT - BOTTOM, TOP);
        let mut text = format!("<text x=\"{LEFT}\" y=\"16\" font-size=\"13\">{}</text>\n", self.title);
        for decade in across.decades() {
            let x = across.at(decade);
            let (from, to, label) = (TOP, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 14.0);
            writeln!(text, "<line x1=\"{x:.1}\" y1=\"{from}\" x2=\"{x:.1}\" y2=\"{to}\" stroke=\"#ddd\"/>")
                .expect("a string");
            writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{label}\" text-anchor=\"middle\">{}</text>",
                short(decade)
            )
            .expect("a string");
        }
        for decade in up.decades() {
            let y = up.at(decade);
            let (from, to, label) = (LEFT, WIDTH - RIGHT, LEFT - 6.0);
            writeln!(text, "<line x1=\"{from}\" y1=\"{y:.1}\" x2=\"{to}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>")
                .expect("a string");
            writeln!(
                text,
                "<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y + 3.0,
                short(decade)
            )
            .expect("a string");
        }
        let shown = self.curves.iter().filter(|curve| !curve.points.is_empty());
        for ((nth, curve), colour) in shown.enumerate().zip(COLOURS) {
            text.push_str(&curve.drawn(&across, &up, colour));
            let y = HEIGHT - BOTTOM + 32.0 + 13.0 * size(nth % LEGEND_ROWS);
            let x = LEFT + (WIDTH - LEFT) / 2.0 * size(nth / LEGEND_ROWS);
            writeln!(
                text,
                "<rect x=\"{x}\" y=\"{:.1}\" width=\"10\" height=\"3\" fill=\"{colour}\"/>",
                y - 4.0
            )
            .expect("a string");
            writeln!(text, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", x + 15.0, curve.name)
                .expect("a string");
        }
        text
    }
}

impl Curve {
    fn drawn(&self, across: &Axis, up: &Axis, colour: &str) -> String {
        let at: Vec<String> = self
            .points
            .iter()
            .map(|(size, value)| format!("{:.1},{:.1}", across.at(*size), up.at(*value)))
            .collect();
        let dashes = if self.is_dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        let mut text = format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>\n",
            at.join(" ")
        );
        for point in &at {
            let (x, y) = point.split_once(',').unwrap_or_default();
            writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.4\" fill=\"{colour}\"/>").expect("a string");
        }
        text
    }
}

/// A logarithmic axis over whole decades.
struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let (least, most) =
            values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        let from = least.log10().floor();
        Axis { from, to: most.log10().ceil().max(from + 1.0), start, end }
    }

    fn at(&self, value: f64) -> f64 {
        self.start + (value.log10() - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        #[expect(clippy::cast_possible_truncation, reason = "a few decades")]
        let (from, to) = (self.from as i32, self.to as i32);
        (from..=to).map(|power| 10_f64.powi(power))
    }
}

/// Writes a power of ten in few letters.
fn short(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{:.0}M", value / 1e6),
        value if value >= 1e3 => format!("{:.0}k", value / 1e3),
        value => format!("{value}"),
    }
}
