//! How each predicate is asked about. To teach a predicate's questions, add a line here; nothing else needs to change.
//!
//! A verb is given with its five forms (`live lives lived lived living`). In a form that asks for the object, `*`
//! stands where the clause goes: `who * work for` is asked as "who does Anna work for", "who did Anna work for" and so
//! on. A question finds what the predicate's inverse says, too; so each fact needs its forms once, on the side whose
//! subject is the subject of the sentence.

use super::forms::{Ask, Scope};

/// The ways to ask about one predicate.
pub(super) struct Entry {
    /// The predicate.
    pub(super) predicate: &'static str,
    /// How it is said.
    pub(super) said: &'static [Said],
}

/// One way to say a predicate.
pub(super) enum Said {
    /// "Anna lives in Berlin."
    Verb {
        /// The verbs, each with its base, third person, past, participle and -ing form.
        verbs: &'static [&'static str],
        /// The words before the object.
        before: &'static str,
        /// The questions for the object.
        object: &'static [&'static str],
        /// What asks for the subject; empty where nothing does.
        subject: &'static str,
    },
    /// "Anna painted a cat", which says more than that she created it: an answer rests on turns that say so.
    Manner {
        /// The verbs, each with its base, third person, past, participle and -ing form.
        verbs: &'static [&'static str],
        /// The questions for the object.
        object: &'static [&'static str],
        /// What asks for the subject; empty where nothing does.
        subject: &'static str,
    },
    /// "Anna is married to Ben."
    Be {
        /// The words before the object.
        before: &'static str,
        /// The questions for the object.
        object: &'static [&'static str],
        /// What asks for the subject; empty where nothing does.
        subject: &'static str,
    },
    /// "Ben is Anna's boss."
    Noun {
        /// The nouns.
        nouns: &'static str,
        /// Nouns that say more than the predicate does ("sister" for a sibling): the answer then says so.
        narrower: &'static str,
        /// What asks for the object.
        wh: &'static str,
    },
    /// A verb for its start: "Anna moved to Lisbon."
    Starts {
        /// The verbs.
        verbs: &'static [&'static str],
        /// The words before the object.
        before: &'static str,
    },
    /// A verb for its end: "Anna left Acme."
    Ends {
        /// The verbs.
        verbs: &'static [&'static str],
        /// The words before the object.
        before: &'static str,
    },
    /// A form of its own.
    Plain(Ask, Scope, &'static str),
}

use Said::{Be, Ends, Manner, Noun, Plain, Starts, Verb};

/// Returns every verb of the table, with its base, third person, past, participle and -ing form.
pub(super) fn every_verb() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|entry| entry.said).flat_map(verbs)
}

/// Returns the verbs of a predicate, each with its five forms.
pub(super) fn verbs_of(predicate: &str) -> impl Iterator<Item = &'static str> {
    let said = TABLE.iter().filter(move |entry| entry.predicate == predicate).flat_map(|entry| entry.said);
    said.flat_map(verbs)
}

fn verbs(said: &'static Said) -> impl Iterator<Item = &'static str> {
    let verbs: &[&str] = match said {
        Verb { verbs, .. } | Manner { verbs, .. } | Starts { verbs, .. } | Ends { verbs, .. } => verbs,
        Noun { .. } | Be { .. } | Plain(..) => &[],
    };
    verbs.iter().copied()
}

/// Returns every form of the verbs by which a predicate is said, and its nouns. Nouns that say more than it does are left
/// out: a pet need not be a dog.
pub(super) fn verb_words(predicate: &str) -> impl Iterator<Item = &'static str> {
    let said = TABLE.iter().filter(move |entry| entry.predicate == predicate).flat_map(|entry| entry.said);
    said.flat_map(|said| match said {
        Verb { verbs, .. } | Manner { verbs, .. } | Starts { verbs, .. } | Ends { verbs, .. } => {
            verbs.to_vec()
        }
        Noun { nouns, .. } => vec![*nouns],
        Be { before, .. } => vec![*before],
        Plain(..) => Vec::new(),
    })
    .flat_map(|words| words.split([' ', '|']))
    .filter(|word| word.len() > 2)
}

/// Returns the nouns that say more than a predicate does.
pub(super) fn narrower_words(predicate: &str) -> impl Iterator<Item = &'static str> {
    let said = TABLE.iter().filter(move |entry| entry.predicate == predicate).flat_map(|entry| entry.said);
    said.flat_map(|said| match said {
        Noun { narrower, .. } => narrower.split('|'),
        Verb { .. } | Manner { .. } | Be { .. } | Starts { .. } | Ends { .. } | Plain(..) => "".split('|'),
    })
    .filter(|word| !word.is_empty())
}

/// Returns the noun of the predicate that a noun says more than: "pet" for "dogs".
pub(super) fn wider_noun(narrower: &str) -> Option<&'static str> {
    TABLE.iter().flat_map(|entry| entry.said).find_map(|said| match said {
        Noun { nouns, narrower: all, .. } if all.split('|').any(|noun| noun == narrower) => {
            nouns.split('|').next()
        }
        Noun { .. } | Verb { .. } | Manner { .. } | Be { .. } | Starts { .. } | Ends { .. } | Plain(..) => {
            None
        }
    })
}

const LIVE: &str = "live lives lived lived living";
const WORK: &str = "work works worked worked working";
const LEAVE: &str = "leave leaves left left leaving";
const HAVE: &str = "have has had had having";

/// The table. Of two entries that fit a question equally well, both are looked up.
pub(super) const TABLE: &[Entry] = &[
    // Where people are.
    Entry {
        predicate: "lives_in",
        said: &[
            Verb {
                verbs: &[LIVE],
                before: "in",
                object: &["where *", "what|which place * in"],
                subject: "who",
            },
            Verb {
                verbs: &["reside resides resided resided residing"],
                before: "in",
                object: &["where *"],
                subject: "who",
            },
            Be { before: "based in", object: &["where * based"], subject: "who" },
            Be { before: "a|an resident|inhabitant of", object: &[], subject: "who" },
            Plain(Ask::Exists, Scope::Now, "is|are|am S still in O"),
            Plain(Ask::Exists, Scope::Ever, "has|have S [ever] been in O"),
            Starts {
                verbs: &[
                    "move moves moved moved moving",
                    "relocate relocates relocated relocated relocating",
                ],
                before: "to",
            },
            Starts { verbs: &["settle settles settled settled settling"], before: "in" },
            Ends { verbs: &[LEAVE], before: "" },
            Ends { verbs: &["move moves moved moved moving"], before: "away from" },
            Ends { verbs: &["move moves moved moved moving"], before: "out of" },
        ],
    },
    Entry {
        predicate: "located_in",
        said: &[
            Be { before: "located in", object: &["where * located"], subject: "what|who" },
            Be { before: "based in", object: &["where * based"], subject: "what|who" },
        ],
    },
    Entry {
        predicate: "visited",
        said: &[
            Verb {
                verbs: &["visit visits visited visited visiting"],
                before: "",
                object: &["what|where *", "what|which places|place|cities|countries *"],
                subject: "who",
            },
            Verb {
                verbs: &["see sees saw seen seeing"],
                before: "",
                object: &["what|which places|place|cities|countries *"],
                subject: "",
            },
            Verb {
                verbs: &[
                    "travel travels travelled travelled travelling",
                    "travel travels traveled traveled traveling",
                ],
                before: "to",
                object: &["where *", "where * to"],
                subject: "who",
            },
            Plain(Ask::Exists, Scope::Ever, "has|have S [ever] been to O"),
            Plain(Ask::Exists, Scope::Ever, "has|have S [ever] been in O"),
            Plain(Ask::Object, Scope::Ever, "where has|have S been"),
            Plain(Ask::When, Scope::Ever, "when did S go to O"),
            Plain(Ask::Exists, Scope::Past, "did S [ever] go to O"),
            Plain(Ask::Object, Scope::Past, "where did S go"),
        ],
    },
    Entry {
        predicate: "born_in",
        said: &[Be {
            before: "born in",
            object: &["where * born", "what|which place|city|town * born in"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "from_place",
        said: &[Be { before: "from", object: &["where * from"], subject: "who" }],
    },
    // Work and study.
    Entry {
        predicate: "works_at",
        said: &[
            Verb {
                verbs: &[WORK],
                before: "at|for",
                object: &[
                    "where *",
                    "who|whom * for|at",
                    "what|which company|organisation|organization|employer|firm * at|for",
                ],
                subject: "who",
            },
            Verb {
                verbs: &["stay stays stayed stayed staying"],
                before: "at|with",
                object: &[],
                subject: "who",
            },
            Be {
                before: "employed at|by",
                object: &["where * employed", "who * employed by"],
                subject: "who",
            },
            Noun { nouns: "employer|company", narrower: "", wh: "who|what" },
            Plain(Ask::Exists, Scope::Now, "is|are|am S [still] at|with O"),
            Plain(Ask::Exists, Scope::Past, "was|were S [still] at|with O"),
            Plain(Ask::Exists, Scope::Ever, "has|have|had S [ever] been at|with O"),
            Plain(Ask::Exists, Scope::Past, "S was|were [still] at|with O"),
            Starts { verbs: &["join joins joined joined joining"], before: "" },
            Starts { verbs: &["start starts started started starting"], before: "at" },
            Starts { verbs: &["get gets got got getting"], before: "hired by|at" },
            Starts { verbs: &["get gets got got getting"], before: "a job at|with" },
            Ends { verbs: &[LEAVE, "quit quits quit quit quitting"], before: "" },
            Ends { verbs: &["resign resigns resigned resigned resigning"], before: "from" },
            Ends { verbs: &["get gets got got getting"], before: "fired from|by" },
        ],
    },
    Entry {
        predicate: "role",
        said: &[
            Noun { nouns: "role|job|occupation|profession|position", narrower: "", wh: "what" },
            Noun { nouns: "job title", narrower: "", wh: "what" },
            Verb { verbs: &[WORK], before: "as", object: &["what * as"], subject: "who" },
            Be { before: "a|an", object: &[], subject: "" },
            Starts { verbs: &["become becomes became become becoming"], before: "[a|an]" },
            Plain(Ask::Object, Scope::Now, "what does|do S do for a living"),
        ],
    },
    Entry {
        predicate: "reports_to",
        said: &[
            Verb {
                verbs: &["report reports reported reported reporting"],
                before: "to",
                object: &["who|whom * to"],
                subject: "who",
            },
            Verb {
                verbs: &["answer answers answered answered answering"],
                before: "to",
                object: &["who|whom * to"],
                subject: "who",
            },
            Noun { nouns: "manager|boss|supervisor", narrower: "", wh: "who" },
        ],
    },
    Entry {
        predicate: "supervises",
        said: &[Verb {
            verbs: &["supervise supervises supervised supervised supervising"],
            before: "",
            object: &["who|whom *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "manages",
        said: &[
            Verb {
                verbs: &[
                    "manage manages managed managed managing",
                    "lead leads led led leading",
                    "run runs ran run running",
                    "head heads headed headed heading",
                ],
                before: "",
                object: &["what|who *", "what|which project|projects|team|teams *"],
                subject: "who",
            },
            Be { before: "in charge of", object: &["what * in charge of"], subject: "who" },
            Be { before: "responsible for", object: &["what * responsible for"], subject: "who" },
            Starts { verbs: &["take takes took taken taking"], before: "over" },
        ],
    },
    Entry {
        predicate: "managed_by",
        said: &[
            Noun { nouns: "manager|lead|leader|head", narrower: "", wh: "who" },
            Be { before: "managed|run|led by", object: &["who * managed|run|led by"], subject: "what" },
        ],
    },
    Entry {
        predicate: "member_of",
        said: &[
            Be {
                before: "a member of",
                object: &["what * a member of", "which|what team|teams|group|groups|club|clubs * in"],
                subject: "who",
            },
            Plain(Ask::Exists, Scope::Now, "is|are|am S still in O"),
            Starts { verbs: &["join joins joined joined joining"], before: "" },
            Ends { verbs: &[LEAVE, "quit quits quit quit quitting"], before: "" },
        ],
    },
    Entry {
        predicate: "founded",
        said: &[Verb {
            verbs: &["found founds founded founded founding"],
            before: "",
            object: &["what|which *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "earns",
        said: &[
            Verb {
                verbs: &["earn earns earned earned earning"],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Noun { nouns: "salary|pay", narrower: "", wh: "what" },
        ],
    },
    Entry {
        predicate: "studies_at",
        said: &[Verb {
            verbs: &["study studies studied studied studying"],
            before: "at",
            object: &["where *", "what|which university|school|college * at"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "studies",
        said: &[Verb {
            verbs: &["study studies studied studied studying"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "graduated",
        said: &[Verb {
            verbs: &["graduate graduates graduated graduated graduating"],
            before: "from",
            object: &["where * from", "what|which university|school|college * from"],
            subject: "who",
        }],
    },
    // Who people are, and to whom.
    Entry {
        predicate: "born_on",
        said: &[
            Be { before: "born on|in", object: &["when * born"], subject: "who" },
            Plain(Ask::Object, Scope::Ever, "what is S 's date of birth"),
            Plain(Ask::Object, Scope::Ever, "what is S 's birth date"),
        ],
    },
    Entry { predicate: "birthday", said: &[Noun { nouns: "birthday", narrower: "", wh: "when|what" }] },
    Entry { predicate: "died_on", said: &[Plain(Ask::Object, Scope::Ever, "when did S die")] },
    Entry {
        predicate: "nationality",
        said: &[Noun { nouns: "nationality|citizenship", narrower: "", wh: "what" }],
    },
    Entry {
        predicate: "email",
        said: &[
            Noun { nouns: "email", narrower: "", wh: "what" },
            Noun { nouns: "email address", narrower: "", wh: "what" },
        ],
    },
    Entry {
        predicate: "speaks",
        said: &[Verb {
            verbs: &["speak speaks spoke spoken speaking"],
            before: "",
            object: &["what|which language|languages *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "spouse",
        said: &[
            Be { before: "married to", object: &["who|whom * married to"], subject: "who" },
            Noun { nouns: "spouse|partner", narrower: "husband|wife", wh: "who" },
            Starts { verbs: &["marry marries married married marrying"], before: "" },
            Plain(Ask::Start, Scope::Ever, "when did S get married"),
            Ends { verbs: &["divorce divorces divorced divorced divorcing"], before: "" },
        ],
    },
    Entry {
        predicate: "relationship_status",
        said: &[Noun { nouns: "relationship|marital status", narrower: "", wh: "what" }],
    },
    Entry {
        predicate: "engaged_to",
        said: &[
            Be { before: "engaged to", object: &["who|whom * engaged to"], subject: "who" },
            Noun { nouns: "fianc\u{e9}|fianc\u{e9}e|fiance|fiancee", narrower: "", wh: "who" },
        ],
    },
    Entry {
        predicate: "partner",
        said: &[
            Noun { nouns: "partner", narrower: "girlfriend|boyfriend", wh: "who" },
            Verb {
                verbs: &["date dates dated dated dating"],
                before: "",
                object: &["who|whom *"],
                subject: "who",
            },
            Be { before: "together with", object: &["who|whom * together with"], subject: "who" },
        ],
    },
    Entry {
        predicate: "sibling",
        said: &[Noun { nouns: "sibling|siblings", narrower: "sister|sisters|brother|brothers", wh: "who" }],
    },
    Entry {
        predicate: "parent_of",
        said: &[Noun { nouns: "child|children|kids", narrower: "son|sons|daughter|daughters", wh: "who" }],
    },
    Entry {
        predicate: "child_of",
        said: &[Noun { nouns: "parent|parents", narrower: "mother|mom|mum|father|dad", wh: "who" }],
    },
    Entry {
        predicate: "relative",
        said: &[Noun {
            nouns: "relative|relatives",
            narrower: "aunt|uncle|cousin|grandmother|grandfather|niece|nephew",
            wh: "who",
        }],
    },
    Entry {
        predicate: "knows",
        said: &[Verb {
            verbs: &["know knows knew known knowing"],
            before: "",
            object: &["who|whom *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "met",
        said: &[Verb {
            verbs: &["meet meets met met meeting"],
            before: "",
            object: &["who|whom *"],
            subject: "who",
        }],
    },
    // What people have, like and do.
    Entry {
        predicate: "has_pet",
        said: &[
            Verb {
                verbs: &[HAVE],
                before: "",
                object: &["what|which pets|pet|animals|animal *"],
                subject: "who",
            },
            Noun { nouns: "pet|pets", narrower: "dog|dogs|cat|cats", wh: "what|who" },
        ],
    },
    Entry {
        predicate: "owns",
        said: &[
            Verb {
                verbs: &["own owns owned owned owning", HAVE],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Ends { verbs: &["sell sells sold sold selling", "lose loses lost lost losing"], before: "" },
            Ends { verbs: &["get gets got gotten getting"], before: "rid of" },
            Ends { verbs: &["give gives gave given giving"], before: "away" },
        ],
    },
    // Who owns a dog has a pet.
    Entry {
        predicate: "has_pet",
        said: &[Verb {
            verbs: &["own owns owned owned owning", "keep keeps kept kept keeping"],
            before: "",
            object: &["what *", "what|which pets|pet|animals|animal *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "acquired",
        said: &[
            Verb {
                verbs: &[
                    "get gets got got getting",
                    "acquire acquires acquired acquired acquiring",
                    "purchase purchases purchased purchased purchasing",
                ],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Manner {
                verbs: &[
                    "buy buys bought bought buying",
                    "receive receives received received receiving",
                    "adopt adopts adopted adopted adopting",
                ],
                object: &["what *"],
                subject: "who",
            },
        ],
    },
    Entry {
        predicate: "likes",
        said: &[Verb {
            verbs: &[
                "like likes liked liked liking",
                "love loves loved loved loving",
                "enjoy enjoys enjoyed enjoyed enjoying",
            ],
            before: "",
            object: &["what|who *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "dislikes",
        said: &[Verb {
            verbs: &["dislike dislikes disliked disliked disliking", "hate hates hated hated hating"],
            before: "",
            object: &["what|who *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "prefers",
        said: &[
            Verb {
                verbs: &["prefer prefers preferred preferred preferring"],
                before: "",
                object: &["what *", "what|which K *"],
                subject: "who",
            },
            Plain(Ask::Object, Scope::Now, "what is|are S 's favourite|favorite|preferred K"),
        ],
    },
    Entry { predicate: "has_hobby", said: &[Noun { nouns: "hobby|hobbies", narrower: "", wh: "what" }] },
    Entry { predicate: "diet", said: &[Noun { nouns: "diet", narrower: "", wh: "what" }] },
    Entry {
        predicate: "has_condition",
        said: &[
            Be { before: "allergic to", object: &["what * allergic to"], subject: "who" },
            Verb { verbs: &[HAVE], before: "", object: &[], subject: "who" },
            Verb {
                verbs: &["suffer suffers suffered suffered suffering"],
                before: "from",
                object: &["what * from"],
                subject: "who",
            },
        ],
    },
    Entry {
        predicate: "takes_medication",
        said: &[
            Verb {
                verbs: &["take takes took taken taking"],
                before: "",
                object: &["what|which medication|medications|medicine|drugs *"],
                subject: "who",
            },
            Be {
                before: "on",
                object: &["what|which medication|medications|medicine *  on"],
                subject: "who",
            },
            Starts { verbs: &["go goes went gone going"], before: "on" },
            Ends { verbs: &["come comes came come coming", "go goes went gone going"], before: "off" },
        ],
    },
    Entry {
        predicate: "injured",
        said: &[Verb {
            verbs: &["injure injures injured injured injuring", "hurt hurts hurt hurt hurting"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "repaired",
        said: &[Verb {
            verbs: &[
                "repair repairs repaired repaired repairing",
                "fix fixes fixed fixed fixing",
                "mend mends mended mended mending",
            ],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "applied_to",
        said: &[Verb {
            verbs: &["apply applies applied applied applying"],
            before: "to|for|at",
            object: &["where *", "what * to|for"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "talked_with",
        said: &[Verb {
            verbs: &["talk talks talked talked talking", "speak speaks spoke spoken speaking"],
            before: "with|to",
            object: &["who|whom * with|to"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "achieved",
        said: &[Verb {
            verbs: &["achieve achieves achieved achieved achieving", "win wins won won winning"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "retired",
        said: &[
            Verb {
                verbs: &["retire retires retired retired retiring"],
                before: "from",
                object: &["where * from"],
                subject: "who",
            },
            Plain(Ask::When, Scope::Ever, "when did S retire"),
        ],
    },
    Entry {
        predicate: "attended",
        said: &[
            Verb {
                verbs: &["attend attends attended attended attending"],
                before: "",
                object: &["what|which *"],
                subject: "who",
            },
            Plain(Ask::When, Scope::Ever, "when did S go to O"),
            Plain(Ask::Exists, Scope::Ever, "has|have S [ever] been to O"),
            Plain(Ask::Exists, Scope::Past, "did S [ever] go to O"),
        ],
    },
    Entry {
        predicate: "consumed",
        said: &[Manner {
            verbs: &["read reads read read reading", "watch watches watched watched watching"],
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "created",
        said: &[
            Verb {
                verbs: &["create creates created created creating", "make makes made made making"],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Manner {
                verbs: &[
                    "build builds built built building",
                    "paint paints painted painted painting",
                    "write writes wrote written writing",
                    "bake bakes baked baked baking",
                    "cook cooks cooked cooked cooking",
                ],
                object: &["what *"],
                subject: "who",
            },
        ],
    },
    // Tasks, projects and software.
    Entry {
        predicate: "assignee_of",
        said: &[
            Be { before: "assigned to", object: &["what * assigned to"], subject: "who" },
            Verb {
                verbs: &["hold holds held held holding"],
                before: "",
                object: &["what *"],
                subject: "who",
            },
        ],
    },
    Entry {
        predicate: "assigned_to",
        said: &[
            Noun { nouns: "assignee", narrower: "", wh: "who" },
            Be { before: "assigned to", object: &["who * assigned to"], subject: "what" },
        ],
    },
    Entry { predicate: "has_status", said: &[Noun { nouns: "status", narrower: "", wh: "what" }] },
    Entry { predicate: "priority", said: &[Noun { nouns: "priority", narrower: "", wh: "what" }] },
    Entry {
        predicate: "due",
        said: &[
            Noun { nouns: "deadline", narrower: "", wh: "when|what" },
            Noun { nouns: "due date", narrower: "", wh: "when|what" },
            Plain(Ask::Object, Scope::Now, "when|what is the S date|deadline"),
            Plain(Ask::Object, Scope::Past, "when|what was the S date|deadline"),
            Plain(Ask::Object, Scope::Now, "the S date|deadline"),
            Be { before: "due", object: &["when * due"], subject: "" },
        ],
    },
    Entry {
        predicate: "depends_on",
        said: &[Verb {
            verbs: &["depend depends depended depended depending"],
            before: "on",
            object: &["what * on"],
            subject: "what",
        }],
    },
    Entry {
        predicate: "uses",
        said: &[
            Verb {
                verbs: &["use uses used used using"],
                before: "",
                object: &["what *", "what|which K *"],
                subject: "who|what",
            },
            Verb {
                verbs: &["run runs ran run running"],
                before: "on",
                object: &["what * on", "what|which K * on"],
                subject: "what",
            },
        ],
    },
    Entry {
        predicate: "version",
        said: &[
            Noun { nouns: "version", narrower: "", wh: "what" },
            Be { before: "on|at version", object: &["what|which version * on|at"], subject: "what" },
            Verb {
                verbs: &["run runs ran run running"],
                before: "version",
                object: &["what|which version *"],
                subject: "what",
            },
        ],
    },
    Entry { predicate: "price", said: &[Noun { nouns: "price", narrower: "", wh: "what" }] },
    Entry {
        predicate: "config_value",
        said: &[
            Verb {
                verbs: &["use uses used used using"],
                before: "",
                object: &["what|which K *"],
                subject: "",
            },
            Verb {
                verbs: &["listen listens listened listened listening", "run runs ran run running"],
                before: "on K",
                object: &["what|which K * on"],
                subject: "",
            },
            Be { before: "on K", object: &["what|which K * on"], subject: "" },
            Plain(Ask::Object, Scope::Now, "what is S 's [current] K"),
            Plain(Ask::Object, Scope::Now, "what is the [current] K of|for S"),
            Plain(Ask::Object, Scope::Past, "what was S 's K"),
            Plain(Ask::Object, Scope::Past, "what was the K of|for S"),
        ],
    },
    Entry {
        predicate: "measure",
        said: &[
            Plain(Ask::Object, Scope::Now, "what is S 's [current] K"),
            Plain(Ask::Object, Scope::Past, "what was S 's K"),
        ],
    },
    Entry {
        predicate: "uses",
        said: &[
            Plain(Ask::Object, Scope::Now, "what is S 's [current] K"),
            Plain(Ask::Object, Scope::Past, "what was S 's K"),
        ],
    },
    Entry {
        predicate: "values",
        said: &[
            Verb {
                verbs: &[
                    "value values valued valued valuing",
                    "appreciate appreciates appreciated appreciated appreciating",
                ],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Plain(Ask::Object, Scope::Now, "what matters to S"),
            Plain(Ask::Object, Scope::Now, "what is important to S"),
        ],
    },
    Entry {
        predicate: "misses",
        said: &[Verb {
            verbs: &["miss misses missed missed missing"],
            before: "",
            object: &["what|who *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "considers",
        said: &[
            Verb {
                verbs: &["consider considers considered considered considering"],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Plain(Ask::Object, Scope::Now, "what is S thinking about|of"),
        ],
    },
    Entry {
        predicate: "believes",
        said: &[
            Verb {
                verbs: &["believe believes believed believed believing"],
                before: "",
                object: &["what *"],
                subject: "who",
            },
            Plain(Ask::Object, Scope::Now, "what does S think"),
        ],
    },
    Entry {
        predicate: "struggles_with",
        said: &[Verb {
            verbs: &["struggle struggles struggled struggled struggling"],
            before: "with",
            object: &["what * with"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "works_on",
        said: &[Verb {
            verbs: &["work works worked worked working"],
            before: "on",
            object: &["what * on"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "started",
        said: &[Verb {
            verbs: &["start starts started started starting", "begin begins began begun beginning"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "stopped",
        said: &[Verb {
            verbs: &["stop stops stopped stopped stopping", "quit quits quit quit quitting"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "tried",
        said: &[Verb {
            verbs: &["try tries tried tried trying"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "organized",
        said: &[Verb {
            verbs: &[
                "organize organizes organized organized organizing",
                "organise organises organised organised organising",
                "host hosts hosted hosted hosting",
            ],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "received",
        said: &[Verb {
            verbs: &["receive receives received received receiving", "win wins won won winning"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "gave",
        said: &[Verb {
            verbs: &["give gives gave given giving", "donate donates donated donated donating"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "helped",
        said: &[Verb {
            verbs: &["help helps helped helped helping"],
            before: "",
            object: &["what|who *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "lost",
        said: &[Verb {
            verbs: &["lose loses lost lost losing"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "discovered",
        said: &[Verb {
            verbs: &[
                "discover discovers discovered discovered discovering",
                "find finds found found finding",
            ],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "advised",
        said: &[Verb {
            verbs: &[
                "advise advises advised advised advising",
                "recommend recommends recommended recommended recommending",
                "suggest suggests suggested suggested suggesting",
            ],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry {
        predicate: "shared",
        said: &[Verb {
            verbs: &["share shares shared shared sharing"],
            before: "",
            object: &["what *"],
            subject: "who",
        }],
    },
    Entry { predicate: "decided", said: &[Plain(Ask::Object, Scope::Past, "what did S decide about|on K")] },
    Entry {
        predicate: "deployed_to",
        said: &[
            Plain(Ask::Object, Scope::Ever, "where was S deployed"),
            Plain(Ask::When, Scope::Ever, "when was S deployed to O"),
            Plain(Ask::Exists, Scope::Ever, "was S [ever] deployed to O"),
            Verb {
                verbs: &["reach reaches reached reached reaching"],
                before: "",
                object: &[],
                subject: "what",
            },
        ],
    },
];
