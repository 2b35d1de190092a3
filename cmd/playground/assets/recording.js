// Lines of a recording of objchange watch --record. Their values are encoded, so objchange
// makes the documents: it gets the lines of some requests and of their provider.

import { ask } from "./ask.js";
import { child, layout, parse, value } from "./json.js";

// named are the requests that documents can represent: requests for a resource.
const named = /^(Plan|Apply)ResourceChange$|^ReadResource$|^(Upgrade|Move|Import)ResourceState$/;

const most = { requests: 32, size: 1 << 20 }; // for one call, unless a single request is larger

// lineOf returns the object in a line of a recording, and undefined if the text is not such a
// line. Newer recordings may have other kinds of lines.
function lineOf(text) {
  try {
    const line = JSON.parse(text);
    const texts = ["kind", "provider", "address", "method", "type", "time"].every((name) => typeof (line[name] ?? "") === "string");
    return line.kind && texts ? line : undefined;
  } catch {
    return undefined;
  }
}

export const firstLine = (text) => text.trimStart().split("\n", 1)[0];
const firstKind = (text) => lineOf(firstLine(text))?.kind;

// A Recording contains the lines of a recording, which may be added in several parts.
export class Recording {
  static is = (text) => ["recording", "provider", "rpc"].includes(firstKind(text));
  static begins = (text) => firstKind(text) === "recording";

  redacted = false;
  providers = new Map(); // their lines by address
  requests = [];
  seen = new Map(); // from the line of a request to its index, or undefined for other requests
  numbers = new Map(); // the number of requests of each kind
  answers = new Map(); // from a request to the answer of objchange and the line in it
  others = 0; // requests that documents cannot represent

  // add adds lines, and returns all choices, the first choice in these lines, and the note.
  add(text) {
    const broken = []; // their numbers
    let chosen;
    this.answers.clear();
    const lines = text.split("\n");
    lines.forEach((line, i) => {
      if (line.trim() === "") return;
      const of = lineOf(line);
      if (of?.kind === "recording") this.redacted = of.redacted === true;
      else if (of?.kind === "provider") this.providers.set(of.address, line);
      else if (of?.kind === "rpc") {
        if (!this.seen.has(line)) this.seen.set(line, this.request(line, of));
        chosen ??= this.seen.get(line);
      } else if (!of) broken.push(i + 1);
    });
    return this.given(chosen, unreadable(broken, lines.length));
  }

  // request stores a request, and returns its index if a document can represent it. Requests
  // without an answer have no number.
  request(line, { provider, method, type, status, time }) {
    [method, type, time] = [method ?? "", type ?? "", time ?? ""];
    const rpc = method.slice(method.lastIndexOf("/") + 1);
    if (!named.test(rpc)) {
      this.others++;
      return undefined;
    }
    const stub = JSON.stringify({ kind: "rpc", provider, method, type });
    const before = this.numbers.get(stub) ?? 0;
    if (!status) this.numbers.set(stub, before + 1);
    const label = `${time.slice(11, 19)} ${rpc} ${type || "-"}${status ? "" : ` #${before + 1}`}`;
    return this.requests.push({ line, provider, stub, before, counts: status ? 0 : 1, label: label.trim() }) - 1;
  }

  given(chosen, said) {
    if (this.requests.length > 0) {
      if (this.others > 0) said.push(`${this.others} other requests cannot be shown as documents.`);
      said.push(this.redacted
        ? "The recording is redacted: texts and numbers differ from the run."
        : "Documents and links to them contain all values in clear text.");
      return { choices: this.requests.map((r) => r.label), chosen, kind: "Request of the recording", requests: this, note: said.join(" ") };
    }
    if (this.others > 0) said.push("These requests cannot be shown as documents: they do not plan, apply, read, upgrade, move or import a resource.");
    else if (this.providers.size > 0) said.push("The line of the provider is present: add lines of requests.");
    else said.push("The first line of a recording is present: add lines of a provider and of requests.");
    return { note: said.join(" ") };
  }

  get length() {
    return this.requests.length;
  }

  // question returns the lines to send for the n-th request, and the lines of it and of
  // others. It adds more requests of the provider because reading the schemas takes longest.
  // Before each request, it adds as many of its kind as the request needs to get its number.
  question(n, requests = most.requests) {
    const { provider } = this.requests[n];
    const lines = [this.providers.get(provider) ?? ""];
    const [at, before] = [new Map(), new Map()];
    let size = 0;
    for (let i = n; i < this.requests.length && at.size < requests; i++) {
      const r = this.requests[i];
      if (r.provider !== provider || this.answers.has(i)) continue;
      size += r.line.length;
      if (i > n && size > most.size) break;
      lines.push(...Array(r.before - (before.get(r.stub) ?? 0)).fill(r.stub), r.line);
      before.set(r.stub, r.before + r.counts);
      at.set(i, lines.length);
    }
    return { lines, at };
  }

  // size returns the number of characters to send for the n-th request.
  size = (n) => (this.answers.has(n) ? 0 : this.question(n).lines.reduce((sum, line) => sum + line.length, 0));

  // document resolves to the result of made for the n-th request.
  async document(n) {
    const { provider } = this.requests[n];
    if (!this.providers.has(provider)) throw new Error(`The line of the provider ${provider} is missing. It contains the schemas: add it.`);
    if (!this.answers.has(n)) this.ask(n);
    const { answer, line, others } = this.answers.get(n);
    const { text, tree } = await answer;
    const number = (x) => value({ text }, child(x, "line"));
    const errors = child(tree, "errors")?.items ?? [];
    if (others && errors.some((e) => value({ text }, child(e, "pointer")) === "/recording" && number(e) <= line)) {
      this.answers.delete(n);
      this.ask(n, 1); // with other requests, the answer would be too large
      return this.document(n);
    }
    const wrong = errors.find((e) => [undefined, 1, line].includes(number(e)));
    if (wrong) throw new Error("The request cannot be used: " + value({ text }, child(wrong, "message")));
    return made(text, child(tree, "result").items.filter((x) => number(x) === line));
  }

  ask(n, requests) {
    const { lines, at } = this.question(n, requests);
    const answer = ask({ command: "unpack", recording: lines.join("\n") + "\n" }).then((text) => ({ text, tree: parse(text) }));
    for (const [i, line] of at) this.answers.set(i, { answer, line, others: at.size > 1 });
  }
}

// unreadable returns sentences about the lines that cannot be read.
function unreadable(broken, lines) {
  const said = [];
  if (broken.at(-1) === lines) said.push(`The last line, line ${broken.pop()}, is incomplete.`);
  if (broken.length === 1) said.push(`Line ${broken[0]} cannot be read.`);
  if (broken.length > 1) said.push(`${broken.length} lines cannot be read. The first is line ${broken[0]}.`);
  return said;
}

// made returns the text of the documents of a request from the result of unpack, a note
// about a missing part, and the objects of the request.
function made(text, found) {
  const all = (name) => found.map((x) => child(x, name)).filter((x) => x);
  const [missing] = all("note").map((x) => value({ text }, x));
  const documents = all("document").map((x) => layout(text, x));
  if (documents.length === 0) throw new Error(`This request has no document: ${missing ?? "no rule applies to it"}.`);
  const objects = all("object").map((x) => text.slice(x.start, x.end));
  return { document: documents.join("\n"), note: missing && `About this request: ${missing}.`, missing, object: objects.join(", ") };
}
