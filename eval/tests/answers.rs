//! Answers by a reader, judged by a judge, against a real service of models in this process: what is scored, what is
//! recorded and replayed, and every way in which models and services fail.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bygone_engine::embed::{ApiKey, Caller, Service as At};
use bygone_engine::store::VectorMode;
use bygone_eval::EvalError;
use bygone_eval::qa::{
    Budget, Calls, Dataset, Estimate, Model, Price, Questioning, Reader, Report, Role, Voice, estimate,
    evaluate,
};
use bygone_eval::retrieval::{Plan, SYSTEMS, System};
use bygone_eval::run::{Loaded, MadeBy};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::model_server::{Asked, Reply, Service};

const KEY: &str = "sk-secret-0123";

fn fixture(dataset: Dataset) -> PathBuf {
    let name = match dataset {
        Dataset::Locomo => "locomo.json",
        Dataset::Longmemeval => "longmemeval.json",
    };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// What the reader says to the questions of the two fixtures; to all others that it is not mentioned.
const ANSWERS: [(&str, &str); 5] = [
    ("Which instrument did I buy?", "a cello"),
    ("Which river did you recommend for kayaking?", "The Danube"),
    ("Any ideas for my evening?", "Quiet board games, since you like them."),
    ("What did Bo sell at the market?", "a bowl"),
    ("What did Ada sell at the market?", "a bowl"),
];

/// What stands behind a heading of a prompt, up to the end of its line.
fn behind<'p>(prompt: &'p str, heading: &str) -> Option<&'p str> {
    let line = prompt.lines().rev().find_map(|line| line.strip_prefix(heading))?;
    Some(line.trim())
}

fn read(asked: &Asked) -> String {
    let question = behind(asked.prompt(), "Question:").expect("a question");
    let answer = ANSWERS.iter().find(|(known, _)| *known == question);
    answer.map_or("Not mentioned.", |(_, answer)| answer).to_owned()
}

/// Whether a response is right: where it holds the right answer, and what the controls of judges are known by.
fn is_right(asked: &Asked) -> bool {
    let response = behind(asked.prompt(), "Response:").expect("a response").to_lowercase();
    let right = ["Correct answer:", "Rubric:", "Explanation:"]
        .iter()
        .find_map(|heading| behind(asked.prompt(), heading));
    let right = right.expect("a right answer").to_lowercase();
    let controls = ["19 days", "lisbon now", "chess", "have not told", "2023-05-05"];
    let is_refusal = asked.prompt().contains("Explanation:") && response.contains("not mentioned");
    let suits = right.contains("quiet board games") && response.contains("quiet board games");
    response.contains(&right)
        || is_refusal
        || suits
        || controls.iter().any(|control| response.contains(control))
}

fn is_judge(asked: &Asked) -> bool {
    asked.body["model"] == "judge"
}

/// Reader and judge as they should be.
fn sound(_: usize, asked: &Asked) -> Reply {
    if is_judge(asked) {
        Reply::said(if is_right(asked) { "Yes." } else { "no" })
    } else {
        Reply::said(&read(asked))
    }
}

/// What a test puts together: voices at a service, and files.
struct Bench {
    folder: TempDir,
    waits: Arc<Mutex<Vec<Duration>>>,
}

/// Who asks what, and how.
#[derive(Clone, Copy)]
struct Setting {
    dataset: Dataset,
    systems: &'static [&'static str],
    has_judge: bool,
    is_replay: bool,
    budget: Budget,
    concurrency: usize,
    n_questions: usize,
    context_tokens: usize,
    /// Names of the run and of the calls.
    files: [&'static str; 2],
}

const SETTING: Setting = Setting {
    dataset: Dataset::Longmemeval,
    systems: &["bm25"],
    has_judge: true,
    is_replay: false,
    budget: Budget { tokens: None, money: None },
    concurrency: 1,
    n_questions: usize::MAX,
    context_tokens: 60,
    files: ["run.jsonl", "calls.jsonl"],
};

impl Bench {
    fn new() -> Bench {
        Bench { folder: tempfile::tempdir().expect("a folder"), waits: Arc::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs_err::read_to_string(self.path(name)).expect("a file")
    }

    fn rows(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    fn voice(&self, role: Role, base: &str, is_replay: bool) -> Voice {
        let waits = Arc::clone(&self.waits);
        let mut at = At::new(base);
        (at.key, at.attempts) = (Some(ApiKey::new(KEY)), 3);
        let sleep = Box::new(move |wait| waits.lock().expect("nobody broke down").push(wait));
        let caller = Caller::new(at, sleep).expect("a service");
        let model = Model {
            name: role.name().to_owned(),
            temperature: 0.0,
            seed: Some(7),
            max_tokens: 50,
            price: Price { prompt: 1000.0, completion: 2000.0 },
        };
        Voice { role, model, base: base.to_owned(), caller: (!is_replay).then_some(caller) }
    }

    /// Puts questions at a service.
    fn with<T>(
        &self,
        base: &str,
        setting: Setting,
        act: impl FnOnce(&Path, &Questioning<'_>) -> T,
    ) -> Result<T, EvalError> {
        let named = |name: &&str| *SYSTEMS.iter().find(|system| system.name == *name).expect(name);
        let systems: Vec<&'static System> = setting.systems.iter().map(named).collect();
        let [out, recorded] = setting.files.map(|name| self.path(name));
        let [reader, judge] =
            [Role::Reader, Role::Judge].map(|role| self.voice(role, base, setting.is_replay));
        let calls = Calls::open(Some(&recorded), setting.budget, &|| Duration::ZERO)?;
        let questioning = Questioning {
            plan: Plan {
                n_questions: setting.n_questions,
                systems: &systems,
                vectors: VectorMode::Auto,
                seed: 0,
                jobs: NonZeroUsize::MIN,
                stop: None,
                out: Some(&out),
                made_by: MadeBy::default(),
            },
            dataset: setting.dataset,
            reader: Reader::Model(&reader),
            judge: setting.has_judge.then_some(&judge),
            calls: &calls,
            context_tokens: setting.context_tokens,
            concurrency: NonZeroUsize::new(setting.concurrency).expect("some"),
        };
        Ok(act(&fixture(setting.dataset), &questioning))
    }

    fn evaluate(&self, base: &str, setting: Setting) -> Result<Report, EvalError> {
        self.with(base, setting, |path, questioning| evaluate(path, questioning, &mut |_| ()))?
    }

    fn refusal(&self, base: &str, setting: Setting) -> String {
        let error = self.evaluate(base, setting).expect_err("is refused");
        let text = error.to_string();
        for told in [text.clone(), format!("{error:?}"), self.text(setting.files[1])] {
            assert!(!told.contains(KEY), "the key is told: {told}");
        }
        text.replace(base, "BASE")
    }
}

#[test]
fn answers_are_scored_by_rules_and_by_a_judge_whose_name_stands_with_them() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    let report =
        bench.evaluate(&service.base(), Setting { systems: &["full"], ..SETTING }).expect("evaluates");
    let rows = report.rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    // Right are q1, the refusal of q3_abs, and the advice of q4; wrong the river, and the trees that were mentioned.
    assert_eq!((&row["questions"], &row["right"], &row["judge"]), (&json!(5), &json!(0.6), &json!("judge")));
    assert_eq!(
        (&row["reader"], &row["system"], &row["unjudged"]),
        (&json!("reader"), &json!("full"), &json!(0))
    );
    assert_eq!(row["abstention"], json!({ "abstained": 2, "due": 1, "precision": 0.5, "recall": 1.0 }));
    // Ten controls, and five verdicts.
    assert_eq!((&row["controls"], &row["calls"]["judge"]["calls"]), (&json!(10), &json!(5)));
    assert_eq!((&row["spent"]["calls"], &row["spent"]["prompt_tokens"]), (&json!(20), &json!(2000)));
    assert_eq!(row["spent"]["money"], 20.0 * 0.1 + 20.0 * 5.0 * 0.002);
    assert_eq!(row["calls"]["reader"]["latency_ms"], json!({ "p50": 0, "p95": 0 }));
    assert!(row["intervals"]["right"].is_array() && row["by_type"]["multi-session"]["right"].is_number());

    let lines = bench.rows("run.jsonl");
    assert_eq!((&lines[0]["task"], &lines[0]["judge"]["model"]), (&json!("answers"), &json!("judge")));
    assert!(lines[0]["judge"]["prompts"]["judge_fact.v1"].is_string());
    assert_eq!(lines[1]["answered"]["said"], "a cello");
    assert_eq!(lines[1]["answered"]["judged_by"], "judge by judge_fact.v1");
    assert_eq!(lines[3]["answered"]["judged_by"], "judge by judge_unanswerable.v1");
    assert_eq!(lines[3]["parts"]["answer"]["scores"]["f1"], 1.0);
    assert!(lines[3]["parts"].get("context").is_none(), "what cannot be answered has no evidence");
    assert_eq!(lines[1]["parts"]["context"]["needed"], json!([["answer_1_1"]]));
    assert!(Loaded::read(&bench.path("run.jsonl")).expect("reads").is_complete());

    let asked = service.asked();
    assert!(asked.iter().all(|one| one.line == "POST /v1/chat/completions HTTP/1.1"));
    assert!(asked.iter().all(|one| one.authorization.as_deref() == Some("Bearer sk-secret-0123")));
    let (seed, limit) = (&asked[0].body["seed"], &asked[0].body["max_tokens"]);
    assert_eq!((seed, limit, &asked[0].body["temperature"]), (&json!(7), &json!(50), &json!(0.0)));
    let reader = asked.iter().find(|one| one.body["model"] == "reader").expect("a reader");
    let context = "[2023-05-28 19:47]\nuser: Yesterday I did buy an old cello";
    assert!(reader.prompt().contains(context), "{}", reader.prompt());
    assert!(reader.prompt().contains("It is now 2023-05-28 10:00."), "{}", reader.prompt());
    assert!(!reader.prompt().contains("I sold it"), "what was said later is not seen: {}", reader.prompt());
}

#[test]
fn whether_the_evidence_is_there_is_told_apart_from_whether_the_answer_is_right() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    let setting = Setting { systems: &["bm25", "full"], ..SETTING };
    let rows = bench.evaluate(&service.base(), setting).expect("evaluates").rows();
    let [full, bm25] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&full["system"], &full["context"]["sufficient"]), (&json!("full"), &json!(1.0)));
    // The turn about the river has no room beside the others.
    assert_eq!(full["context"]["questions"], 3);
    assert!(bm25["context"]["sufficient"].as_f64() <= full["context"]["sufficient"].as_f64());
    assert!(bm25["context_tokens"].as_f64() < full["context_tokens"].as_f64());
    // Of three contexts with the evidence two led to a right answer: the river was there and was not read.
    assert_eq!(full["when_sufficient"]["questions"], 3);
    assert!((full["when_sufficient"]["right"].as_f64().expect("a share") - 0.666_667).abs() < 1e-9);
}

#[test]
fn what_is_recorded_is_replayed_and_nobody_is_asked() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    bench.evaluate(&service.base(), SETTING).expect("evaluates");
    let n_asked = service.asked().len();
    let again = Setting { is_replay: true, files: ["again.jsonl", "calls.jsonl"], concurrency: 3, ..SETTING };
    let report = bench.evaluate(&service.base(), again).expect("replays");
    assert_eq!(service.asked().len(), n_asked);
    assert_eq!((report.spent.calls, report.spent.replayed), (0, 20));
    assert_eq!(bench.text("again.jsonl"), bench.text("run.jsonl"));
    assert_eq!(bench.rows("calls.jsonl").len(), 20);
    // What is not recorded is not made up.
    let other = Setting {
        dataset: Dataset::Locomo,
        is_replay: true,
        files: ["other.jsonl", "calls.jsonl"],
        ..SETTING
    };
    let refused = bench.refusal(&service.base(), other);
    assert_eq!(refused, "the judge \"judge\": no answer is recorded, and nobody may be asked");
    // A run that is there needs neither reader nor judge, nor calls.
    let kept = Setting { is_replay: true, files: ["run.jsonl", "none.jsonl"], ..SETTING };
    assert_eq!(bench.evaluate(&service.base(), kept).expect("is there").spent.replayed, 0);
}

#[test]
fn runs_are_the_same_however_many_questions_are_put_at_a_time() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    for (run, calls, concurrency) in [("one", "c1", 1), ("four", "c4", 4)] {
        let setting = Setting { dataset: Dataset::Locomo, files: [run, calls], concurrency, ..SETTING };
        bench.evaluate(&service.base(), setting).expect("evaluates");
    }
    assert_eq!(bench.text("one"), bench.text("four"));
}

#[test]
fn what_is_being_asked_is_not_asked_a_second_time() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    // With room for everything both systems lead to the same context.
    let setting = Setting { systems: &["bm25", "full"], concurrency: 8, context_tokens: 5000, ..SETTING };
    let report = bench.evaluate(&service.base(), setting).expect("evaluates");
    assert_eq!((service.asked().len(), report.spent.replayed), (20, 10));
    let again = Setting { is_replay: true, files: ["again.jsonl", "calls.jsonl"], ..setting };
    bench.evaluate(&service.base(), again).expect("replays");
    assert_eq!(bench.text("again.jsonl"), bench.text("run.jsonl"));
}

#[test]
fn locomo_is_scored_by_its_rules_and_its_traps_are_judged_by_them() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    let setting = Setting { dataset: Dataset::Locomo, ..SETTING };
    let report = bench.evaluate(&service.base(), setting).expect("evaluates");
    let lines = bench.rows("run.jsonl");
    assert_eq!(lines.len(), 1 + 9, "questions without evidence are asked, too");
    let of = |id: &str| lines.iter().find(|line| line["id"] == id).expect(id);
    // The trap is sprung: "a bowl" is what the data set misleads to.
    let trap = of("conv-1#7");
    assert_eq!((&trap["type"], &trap["answered"]["unanswerable"]), (&json!("adversarial"), &json!(true)));
    assert_eq!(trap["parts"]["answer"]["scores"]["right"], 0.0);
    assert_eq!(trap["answered"]["judged_by"], "the rule of the data set");
    assert_eq!(of("conv-1#0")["answered"]["judged_by"], "judge by judge_conversation.v1");
    assert_eq!(of("conv-1#0")["parts"]["answer"]["scores"]["f1"], 1.0);
    let row = &report.rows()[0];
    assert_eq!((&row["questions"], &row["by_type"]["adversarial"]["questions"]), (&json!(8), &json!(1)));
    assert_eq!(row["right"], 0.125);
}

#[test]
fn without_a_judge_there_is_no_share_of_right_answers() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    let setting = Setting { has_judge: false, ..SETTING };
    let rows = bench.evaluate(&service.base(), setting).expect("evaluates").rows();
    assert!(rows[0].get("right").is_none() && rows[0]["judge"].is_null(), "{rows:?}");
    assert!(rows[0]["f1"].is_number());
    assert!(service.asked().iter().all(|asked| !is_judge(asked)));
}

#[test]
fn a_judge_that_always_says_the_same_is_caught() {
    for (says, expected) in [
        (
            "yes",
            "by judge_fact.v1 it says \"yes\" of \"You bought a lawn mower.\", which is wrong where \"a cello\" is the answer",
        ),
        (
            "no",
            "by judge_fact.v1 it says \"no\" of \"You bought a cello.\", which is right where \"a cello\" is the answer",
        ),
        ("It depends.", "it says \"It depends.\" of \"You bought a cello.\", which is right"),
    ] {
        let (bench, service) = (Bench::new(), Service::start(move |_, _| Reply::said(says)));
        let refused = bench.refusal(&service.base(), SETTING);
        assert!(
            refused.starts_with("the judge \"judge\": is no judge:") && refused.contains(expected),
            "{refused}"
        );
        assert_eq!(bench.rows("run.jsonl").len(), 1, "nothing is scored");
    }
}

#[test]
fn a_verdict_that_is_neither_yes_nor_no_counts_as_wrong_and_is_counted() {
    let (bench, service) = (
        Bench::new(),
        Service::start(|nth, asked| {
            let is_unsure = is_judge(asked) && asked.prompt().contains("Response: a cello");
            if is_unsure { Reply::said("Perhaps.") } else { sound(nth, asked) }
        }),
    );
    let row = bench.evaluate(&service.base(), SETTING).expect("evaluates").rows().remove(0);
    assert_eq!((&row["right"], &row["unjudged"]), (&json!(0.4), &json!(1)));
    assert_eq!(bench.rows("run.jsonl")[1]["answered"]["judge_said"], "Perhaps.");
}

#[test]
fn an_answer_that_was_cut_off_is_an_error_and_what_was_answered_before_is_kept() {
    let (bench, service) = (
        Bench::new(),
        Service::start(|nth, asked| {
            let is_long = !is_judge(asked) && asked.prompt().contains("Question: Which river");
            if is_long { Reply::ended("The river that I", "length") } else { sound(nth, asked) }
        }),
    );
    let refused = bench.refusal(&service.base(), SETTING);
    assert_eq!(
        refused,
        "the reader \"reader\": its answer was cut off after 5 tokens (`finish_reason` is \"length\"): allow it more"
    );
    assert_eq!(bench.rows("run.jsonl").len(), 1 + 1, "the first question is answered");
    let last = bench.rows("calls.jsonl").pop().expect("calls");
    assert!(last["error"].as_str().expect("an error").contains("cut off"));
    assert_eq!(last["response"]["choices"][0]["finish_reason"], "length");
    // It is asked again, and of the rest nothing is.
    let sound_service = Service::start(sound);
    drop(service);
    let report = bench.evaluate(&sound_service.base(), SETTING);
    assert!(matches!(report, Err(EvalError::Run { .. })), "another service is another run: {report:?}");
}

#[test]
fn whoever_goes_on_asks_what_failed_and_nothing_else_again() {
    let is_down = Arc::new(Mutex::new(true));
    let down = Arc::clone(&is_down);
    let (bench, service) = (
        Bench::new(),
        Service::start(move |nth, asked| {
            let fails = *down.lock().expect("nobody broke down")
                && asked.prompt().contains("Question: How many trees");
            if fails {
                Reply::new(400, "", &json!({ "error": { "message": "no trees" } }).to_string())
            } else {
                sound(nth, asked)
            }
        }),
    );
    let refused = bench.refusal(&service.base(), SETTING);
    assert_eq!(refused, "BASE/v1/chat/completions refuses with status 400 (attempts: 1): no trees");
    let n_asked = service.asked().len();
    *is_down.lock().expect("nobody broke down") = false;
    let report = bench.evaluate(&service.base(), SETTING).expect("goes on");
    // Reader and judge of the last question; the controls are recorded.
    assert_eq!((service.asked().len() - n_asked, report.spent.calls, report.spent.replayed), (2, 2, 10));
    assert_eq!(report.rows()[0]["right"], 0.6);
}

#[test]
fn limits_of_a_service_are_waited_for_and_its_troubles_told() {
    let (bench, service) = (
        Bench::new(),
        Service::start(|nth, asked| match nth {
            0 => Reply::new(429, "retry-after: 2\r\n", "slowly"),
            1 => Reply::new(503, "", "busy"),
            _ => sound(nth, asked),
        }),
    );
    bench.evaluate(&service.base(), SETTING).expect("the trouble passes");
    let waits = bench.waits.lock().expect("nobody broke down").clone();
    assert_eq!(waits, [Duration::from_secs(2), Duration::from_secs(1)]);

    for (reply, expected, n_asked) in [
        (
            Reply::new(500, "", "broken"),
            "BASE/v1/chat/completions refuses with status 500 (attempts: 3): broken",
            3,
        ),
        (
            Reply::new(401, "", KEY),
            "BASE/v1/chat/completions refuses with status 401 (attempts: 1): it does not accept the key",
            1,
        ),
        (
            Reply::new(200, "", "{\"choices\": [{"),
            "BASE/v1/chat/completions gives an answer that cannot be used: expected its JSON form: EOF while parsing",
            1,
        ),
        (Reply::new(200, "", "<html>"), "gives an answer that cannot be used: expected its JSON form", 1),
        (Reply::new(200, "", "{}"), "the judge \"judge\": expected one entry in `choices`", 1),
        (Reply::said(" "), "the judge \"judge\": it says nothing", 1),
        (
            Reply::ended("yes", "content_filter"),
            "`finish_reason` is \"content_filter\", and \"stop\" was expected",
            1,
        ),
    ] {
        let (bench, service) = (Bench::new(), Service::start(move |_, _| reply.clone()));
        let refused = bench.refusal(&service.base(), SETTING);
        assert!(refused.contains(expected), "{refused} has no {expected}");
        assert_eq!(service.asked().len(), n_asked, "{refused}");
    }
}

#[test]
fn nothing_is_asked_beyond_the_budget() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    // Each call takes 105 tokens by the count of the service, and a few hundred at most by ours.
    let tokens = Setting { budget: Budget { tokens: Some(900), money: None }, ..SETTING };
    let refused = bench.refusal(&service.base(), tokens);
    assert!(
        refused.starts_with("the budget does not do: ") && refused.contains(" of 900 tokens are spent"),
        "{refused}"
    );
    let n_asked = service.asked().len();
    assert!((1..=8).contains(&n_asked), "{n_asked}");
    let money = Setting { budget: Budget { tokens: None, money: Some(0.4) }, files: ["r2", "c2"], ..SETTING };
    let refused = bench.refusal(&service.base(), money);
    assert!(refused.contains(" of 0.4000 are spent, and the next call may cost 0."), "{refused}");
    assert!(service.asked().len() - n_asked <= 3);
}

#[test]
fn an_estimate_asks_nobody_and_is_no_less_than_what_is_asked() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    let estimated = |setting| -> Estimate {
        let estimated = bench
            .with(&service.base(), setting, |path, questioning| estimate(path, questioning, &mut |_| ()));
        estimated.and_then(|estimate| estimate).expect("estimates")
    };
    let Estimate { questions, calls, recorded, usage, money } = estimated(SETTING);
    assert_eq!((questions, calls, recorded), (5, 20, 0));
    assert_eq!(usage.completion, 20 * 50);
    assert!(usage.prompt > 20 * 50 && money > 0.0, "{usage:?} {money}");
    assert!(service.asked().is_empty());
    assert!(!bench.path("run.jsonl").exists());
    bench.evaluate(&service.base(), SETTING).expect("evaluates");
    let Estimate { calls, recorded, .. } =
        estimated(Setting { files: ["other.jsonl", "calls.jsonl"], ..SETTING });
    // What the judge will be asked is known once the reader has answered.
    assert_eq!((calls, recorded), (5, 15));
}

#[test]
fn what_is_no_file_of_calls_is_refused_and_left_as_it_is() {
    let (bench, service) = (Bench::new(), Service::start(sound));
    bench.evaluate(&service.base(), SETTING).expect("evaluates");
    let whole = bench.text("calls.jsonl");
    for (text, expected) in [
        ("my notes".to_owned(), "is no file of calls, and is left as it is"),
        ("{}\n".to_owned(), "line 1: is no call: expected `base`"),
        (whole.replacen("Question:", "Frage:", 1), "line 1: is no call: `key` is not that of its request"),
    ] {
        fs_err::write(bench.path("calls.jsonl"), &text).expect("writes");
        let refused = bench.evaluate(&service.base(), Setting { files: ["r2", "calls.jsonl"], ..SETTING });
        let refused = refused.expect_err("is refused").to_string();
        assert!(refused.contains(expected), "{refused} has no {expected}");
        assert_eq!(bench.text("calls.jsonl"), text);
    }
    // A call that was cut off is made again.
    fs_err::write(bench.path("calls.jsonl"), &whole[..whole.len() - 9]).expect("writes");
    let report = bench.evaluate(&service.base(), Setting { files: ["r3", "calls.jsonl"], ..SETTING });
    assert_eq!(report.expect("evaluates").spent.calls, 1);
    assert_eq!(bench.text("calls.jsonl"), whole);
}

#[test]
fn bygone_ask_reads_without_a_model() {
    let bench = Bench::new();
    let calls = Calls::open(None, Budget::default(), &|| Duration::ZERO).expect("opens");
    let out = bench.path("run.jsonl");
    let questioning = Questioning {
        plan: Plan {
            n_questions: 2,
            systems: &SYSTEMS[..1],
            vectors: VectorMode::Auto,
            seed: 0,
            jobs: NonZeroUsize::MIN,
            stop: None,
            out: Some(&out),
            made_by: MadeBy::default(),
        },
        dataset: Dataset::Locomo,
        reader: Reader::Own,
        judge: None,
        calls: &calls,
        context_tokens: 0,
        concurrency: NonZeroUsize::MIN,
    };
    let report = evaluate(&fixture(Dataset::Locomo), &questioning, &mut |_| ()).expect("evaluates");
    let row = &report.rows()[0];
    assert_eq!((&row["reader"], &row["questions"]), (&json!("bygone ask"), &json!(2)));
    assert!(row["f1"].is_number() && row.get("right").is_none());
    let lines = bench.rows("run.jsonl");
    assert!(lines[2]["answered"]["said"].as_str().is_some_and(|said| !said.is_empty()), "{lines:?}");
}
