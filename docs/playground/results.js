// What objchange answers, shown.

import { child, layout, parse } from "./json.js";

const $ = (id) => document.getElementById(id);

function element(name, properties, ...children) {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
}

// A Results shows answers. place(pointer, line) says where something is.
export class Results {
  constructor(place) {
    this.place = place;
  }

  // show shows the texts of the answers to check, propose and diff.
  show(answers) {
    const check = JSON.parse(answers.check);
    const books = new Map((check.rules ?? []).map((rule) => [rule.rule, rule]));
    const subjects = check.result?.subjects ?? [];
    const items = [];
    for (const s of subjects) {
      for (const f of s.findings) items.push(this.finding(f, s, books.get(f.rule), subjects.length > 1));
    }
    const wrong = (check.errors ?? []).flatMap((e) => this.unusable(e));
    $("violations").replaceChildren(...wrong, ...items);
    $("notes").replaceChildren(...(check.result?.notes ?? []).map((note) => element("li", {}, note)));
    this.status(wrong.length, items.length, subjects);
    this.part("proposal", answers.propose, () => layout(answers.propose, child(parse(answers.propose), "result")));
    this.part("change", answers.diff, ({ text }) => text);
  }

  status(wrong, violations, subjects) {
    const judged = subjects.filter((s) => s.status === "judged");
    const said = [];
    if (wrong > 0) said.push("The document cannot be used.");
    if (violations > 0) said.push(violations === 1 ? "1 violation." : `${violations} violations.`);
    else if (judged.length > 0) said.push("No violations: what is there keeps to Core's rules.");
    else if (wrong === 0) said.push(subjects[0]?.reason ?? "There is nothing to judge.");
    this.say(said.join(" "), wrong > 0 || violations > 0 ? "bad" : judged.length > 0 ? "good" : "");
  }

  say(text, kind) {
    if ($("status").textContent !== text) $("status").textContent = text;
    $("status").className = kind;
    $("results").classList.remove("stale");
  }

  // finding returns the item of a violation, whose place it marks.
  finding(f, subject, rule, named) {
    const kind = f.counts ? "violation" : "mild";
    const at = f.pointer === undefined ? undefined : this.place(f.pointer, subject.line);
    at?.mark(kind);
    const where = `${named ? subject.name + " " : ""}${f.path || "the object"}`;
    const facts = [f.phase, f.enforced ? "enforced by Core" : "not enforced by Core"];
    if (f.excused) facts.push("excused: legacy type system");
    if (!f.counts) facts.push("counts with --strict only");
    const page = `rules/${f.rule}.html`;
    const item = element("li", { className: kind },
      element("p", {}, this.link(where, at), ": ", f.message),
      element("p", { className: "facts" }, element("a", { href: page }, f.rule), " · " + facts.join(" · ")));
    item.dataset.rule = f.rule;
    item.dataset.pointer = f.pointer ?? "";
    if (rule) {
      item.append(element("p", {}, element("strong", {}, "Fix: "), rule.remedy),
        element("p", {}, element("strong", {}, "As a user: "), rule.workaround),
        element("p", {}, element("a", { href: page + "#fix" }, `How to fix ${f.rule}`)));
    }
    return item;
  }

  // link returns a button that leads to a place, or only its name.
  link(name, at) {
    if (!at) return element("code", {}, name);
    const button = element("button", { type: "button", className: "place" }, name);
    button.addEventListener("click", at.show);
    return button;
  }

  // unusable returns an item for each thing that is wrong with the document.
  unusable(error) {
    const problems = error.problems ?? [{ pointer: error.pointer ?? "", message: error.message }];
    return problems.map(({ pointer, message }) => {
      const at = this.place(pointer, error.line);
      at?.mark("broken");
      return element("li", { className: "broken" },
        element("p", {}, this.link(pointer || (error.line ? `line ${error.line}` : "the document"), at), ": ", message));
    });
  }

  // part shows one of the other answers, or why there is none.
  part(id, text, shown) {
    const answer = JSON.parse(text);
    const failed = answer.errors !== undefined;
    $(id).classList.toggle("none", failed);
    $(id).textContent = failed ? answer.errors.map((e) => e.message).join("\n") : shown(answer);
  }

  broken() {
    this.say("There is a part that is not JSON: see the line that is marked.", "bad");
    $("results").classList.add("stale");
  }

  none() {
    this.say("There is nothing yet: choose the example of a rule, open a file, or write.", "");
    for (const id of ["violations", "notes", "proposal", "change"]) $(id).replaceChildren();
  }

  failed(error) {
    this.say(`objchange does not answer: ${error.message}. Load the page again.`, "bad");
  }
}
