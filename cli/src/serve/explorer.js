// The page's script: what is typed is asked as a question, or shown as an entity where it names one. Texts from the store are
// put in as texts, never as markup.
"use strict";

const field = (id) => document.getElementById(id);
const main = field("main");

function element(name, content, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content instanceof Node) made.append(content);
  else if (content !== undefined && content !== null) made.textContent = String(content);
  return made;
}

async function ask(verb, given) {
  const body = {};
  for (const name of ["valid", "known"]) if (field(name).value.trim()) body[name] = field(name).value.trim();
  Object.assign(body, given);
  const headers = { "content-type": "application/json" };
  if (field("space").value.trim()) headers["bygone-space"] = field("space").value.trim();
  if (field("key").value.trim()) headers.authorization = "Bearer " + field("key").value.trim();
  const response = await fetch("/v1/" + verb, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ? answer.error.message : response.statusText);
  return answer;
}

function object(value) {
  if (value === undefined || value === null) return "";
  if (value.entity !== undefined) return value.entity;
  if (value.text !== undefined) return value.text;
  if (value.number !== undefined) return value.number + (value.unit ? " " + value.unit : "");
  return JSON.stringify(Object.values(value)[0]);
}

function link(name, then) {
  const made = element("button", name, "link");
  made.type = "button";
  made.addEventListener("click", () => run(then));
  return made;
}

function named(reference) {
  return /^[a-z_]+:/.test(reference) ? link(reference, () => entity(reference)) : document.createTextNode(reference);
}

function facts(rows) {
  const table = element("table");
  const head = element("tr");
  for (const name of ["of", "what", "", "from", "to", "", ""]) head.append(element("th", name));
  table.append(head);
  for (const row of rows) {
    const line = element("tr");
    const cell = (content, className) => line.append(element("td", content, className));
    cell(named(row.subject));
    cell(row.predicate + (row.key ? " [" + row.key + "]" : ""));
    cell(named(String(object(row.object))));
    cell(row.from ?? "…");
    cell(row.to ?? "…");
    cell(row.verdict, "faint");
    cell(link("why", () => why(row.id)));
    table.append(line);
  }
  return table;
}

function remarks(answer) {
  for (const remark of answer.remarks) main.append(element("p", remark, "faint"));
}

async function entity(name) {
  field("text").value = name;
  const answer = await ask("timeline", { entity: name });
  main.replaceChildren(element("h2", name), facts(answer.rows));
  remarks(answer);
}

async function why(id) {
  const answer = await ask("why", { fact_id: id });
  main.replaceChildren(element("h2", "Why"));
  for (const row of answer.rows) {
    const shown = element("pre", JSON.stringify(row, null, 2));
    shown.style.whiteSpace = "pre-wrap";
    main.append(shown);
  }
  remarks(answer);
}

async function question(text) {
  const answer = await ask("ask", { question: text });
  main.replaceChildren();
  for (const row of answer.rows) {
    main.append(element("p", row.known ? row.answer : row.answer || "Not known.", "answer"));
    if (row.reading) {
      const { valid, known, intent } = row.reading;
      main.append(element("p", "read as: " + intent + " · when it was so: " + valid + " · what was known by: " + known, "faint"));
    }
    for (const evidence of row.evidence || []) {
      main.append(element("blockquote", evidence.quote));
      main.append(element("p", [evidence.speaker, evidence.time, evidence.session + "#" + evidence.turn].filter(Boolean).join(" · "), "faint"));
    }
    if (row.facts && row.facts.length) main.append(facts(row.facts));
  }
  remarks(answer);
}

async function typed() {
  const text = field("text").value.trim();
  if (!text) return;
  if (!/[?\s]/.test(text) || /^[a-z_]+:/.test(text)) {
    const found = await ask("entities", { prefix: text });
    if (found.rows.length) return entity(text);
  }
  return question(text);
}

async function run(then) {
  main.replaceChildren(element("p", "…", "faint"));
  try {
    await then();
  } catch (error) {
    main.replaceChildren(element("p", error.message, "wrong"));
  }
}

field("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run(typed);
});
