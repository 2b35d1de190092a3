// Shows the results of objchange.

import { child, layout, parse } from "./json.js";
import { rules } from "./rules.js";

const $ = (id) => document.getElementById(id);

function element(name, properties, ...children) {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
}

// prose returns a text in which the parts between backquotes are code.
const prose = (text) => text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));

const mild = ["tolerated", "unchecked", "legacy-sdk"];

// What Terraform does about a finding of each severity.
const standing = {
  rejected: "rejected by Core",
  tolerated: "tolerated by Core: legacy type system",
  unchecked: "not checked by Core",
  "legacy-sdk": "caused by the legacy SDK",
};

// tally counts the findings of subjects, as the command does.
function tally(subjects) {
  const n = { counting: 0, tolerated: 0, unchecked: 0, "legacy-sdk": 0 };
  for (const f of subjects.flatMap((s) => s.findings)) n[f.counts ? "counting" : f.severity]++;
  return n;
}

// besides returns the numbers of findings that do not count.
const besides = (n) => mild.filter((severity) => n[severity] > 0).map((severity) => `, ${n[severity]} ${severity}`).join("");

const none = "The text has no error about what a provider returned. Other errors are not explained.";
const most = 100; // explained errors that are shown

// explained returns the item of an explained error.
function explained(e) {
  const page = rules[e.rule]?.url;
  const facts = [e.phase, standing[e.severity], e.sdk && `provider with ${e.sdk}`].filter((fact) => fact);
  const of = e.provider ? [" of ", element("code", {}, e.provider)] : [];
  const item = element("li", { className: e.severity === "rejected" ? "violation" : "mild" },
    element("h3", {}, e.address ? element("code", {}, e.address) : "A resource", ...of),
    element("p", {}, ...says(e)),
    element("p", { className: "facts" }, ...(e.rule ? [element("a", { href: page }, e.rule), " · "] : []), facts.join(" · ")));
  const section = (title, ...text) => item.append(element("p", {}, element("strong", {}, title + ": "), ...text));
  if (e.meaning) section("Rule", e.meaning[0].toUpperCase() + e.meaning.slice(1) + ".");
  section("Fault", e.fault);
  section("What you can do");
  item.append(element("ol", {}, ...e.steps.map((step) => element("li", {}, ...prose(step)))));
  if (e.remedy) section("Fix by the provider's author", ...prose(e.remedy), " ", element("a", { href: page }, `How to fix ${e.rule}`));
  if (e.report) item.append(...report(e.report));
  item.dataset.rule = e.rule ?? "";
  return item;
}

// says returns the path with both values, the panic, or the message.
function says(e) {
  const code = (text) => element("code", {}, text);
  if (!e.rule) return [e.summary ?? e.meaning ?? e.sentence ?? ""];
  if (e.frame) return ["panic: ", e.panic, ", in ", code(e.frame.function), " ", e.frame.at ?? ""];
  if (e.panic) return ["panic: ", e.panic];
  const was = e.was ? ["was ", code(e.was), ", "] : [];
  return [code(e.path || "the object"), ": ", ...(e.now ? [...was, "now ", code(e.now)] : [e.message || e.meaning])];
}

// report returns an issue for the provider, with a button that copies it.
function report(text) {
  const pre = element("pre", {}, text);
  const details = element("details", {}, element("summary", {}, "Issue report for the provider"), pre);
  const button = element("button", { type: "button" }, "Copy the issue report");
  const said = element("output", {});
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied.";
    } catch {
      details.open = true;
      getSelection().selectAllChildren(pre);
      said.textContent = "The browser did not copy the report. The report is selected: copy it with the keyboard.";
    }
  });
  return [details, element("p", {}, button, " ", said)];
}

// A Results shows results. place(pointer, line) returns the place of a pointer in the editors.
export class Results {
  constructor(place) {
    this.place = place;
  }

  // show shows the texts of the answers to check and propose.
  show(answers) {
    const check = JSON.parse(answers.check);
    const subjects = check.result?.subjects ?? [];
    const items = [];
    for (const s of subjects) {
      for (const f of s.findings) items.push(this.finding(f, s, subjects.length > 1));
    }
    const wrong = (check.errors ?? []).flatMap((e) => this.unusable(e));
    $("violations").replaceChildren(...wrong, ...items);
    $("notes").replaceChildren(...(check.result?.notes ?? []).map((note) => element("li", {}, note)));
    this.status(wrong.length, tally(subjects), subjects);
    this.part("proposal", answers.propose, () => layout(answers.propose, child(parse(answers.propose), "result")));
  }

  status(wrong, found, subjects) {
    const checked = subjects.some((s) => s.status === "checked");
    const { counting } = found;
    const rest = besides(found);
    const said = [];
    if (wrong > 0) said.push("The document cannot be used.");
    if (counting > 0) said.push(`${counting === 1 ? "1 violation" : `${counting} violations`}${rest}.`);
    else if (checked) said.push(rest ? `No violation that counts${rest}.` : "No violations: the document conforms to Core's rules.");
    else if (wrong === 0) said.push(subjects[0]?.reason ?? "The document contains nothing to check.");
    const well = rest ? "mild" : "good";
    this.say(said.join(" "), wrong > 0 || counting > 0 ? "bad" : checked ? well : "");
  }

  say(text, kind) {
    if ($("status").textContent !== text) $("status").textContent = $("found").textContent = text;
    $("status").className = kind;
    $("found").className = "found " + kind;
    $("results").classList.remove("stale");
  }

  // finding returns the item of a violation, and marks its place.
  finding(f, subject, named) {
    const kind = f.counts ? "violation" : "mild";
    const at = f.pointer === undefined ? undefined : this.place(f.pointer, subject.line);
    at?.mark(kind);
    const where = `${named ? subject.name + " " : ""}${f.path || "the object"}`;
    const facts = [f.phase, standing[f.severity]];
    if (!f.counts) facts.push("counts only with --fail-on all");
    const rule = rules[f.rule];
    const page = rule?.url;
    const item = element("li", { className: kind },
      element("p", {}, this.link(where, at), ": ", f.message),
      element("p", { className: "facts" }, element("a", { href: page }, f.rule), " · " + facts.join(" · ")));
    item.dataset.rule = f.rule;
    item.dataset.pointer = f.pointer ?? "";
    if (rule) {
      item.append(element("p", {}, element("strong", {}, "Fix: "), ...prose(rule.remedy)),
        element("p", {}, element("strong", {}, "As a user: ")),
        element("ol", {}, ...rule.steps.map((step) => element("li", {}, ...prose(step)))),
        element("p", {}, element("a", { href: page }, `How to fix ${f.rule}`)));
    }
    return item;
  }

  // link returns a button that shows a place, or only its name.
  link(name, at) {
    if (!at) return element("code", {}, name);
    const button = element("button", { type: "button", className: "place" }, name);
    button.addEventListener("click", at.show);
    return button;
  }

  // unusable returns an item for each problem of the document.
  unusable(error) {
    const problems = error.problems ?? [{ pointer: error.pointer ?? "", message: error.message }];
    return problems.map(({ pointer, message }) => {
      const at = this.place(pointer, error.line);
      at?.mark("broken");
      return element("li", { className: "broken" },
        element("p", {}, this.link(pointer || (error.line ? `line ${error.line}` : "the document"), at), ": ", message));
    });
  }

  // part shows another answer, or its errors.
  part(id, text, shown) {
    const answer = JSON.parse(text);
    const failed = answer.errors !== undefined;
    $(id).classList.toggle("none", failed);
    $(id).textContent = failed ? answer.errors.map((e) => e.message).join("\n") : shown(answer);
  }

  // explain shows the text of the answer to explain.
  explain(text) {
    const { result, errors } = JSON.parse(text);
    const all = result?.errors ?? [];
    this.clear();
    $("violations").append(...all.slice(0, most).map(explained));
    if (errors) return this.say(`The text cannot be explained: ${errors[0].message}.`, "bad");
    if (all.length === 0) return this.say(none, "");
    const said = all.length === 1 ? "1 error is explained." : `${all.length} errors are explained.`;
    const more = all.length > most ? ` The page shows the first ${most}. Run objchange explain to see all of them.` : "";
    return this.say(said + more, all.some((e) => e.severity === "rejected") ? "bad" : "mild");
  }

  broken() {
    this.say("A part is not JSON: see the marked line.", "bad");
    $("results").classList.add("stale");
  }

  none() {
    this.say("The page is empty: choose the example of a rule, open a file, or enter a document.", "");
    this.clear();
  }

  clear() {
    for (const id of ["violations", "notes", "proposal"]) $(id).replaceChildren();
  }

  failed(error) {
    this.say(`objchange failed: ${error.message}. Reload the page.`, "bad");
  }
}
