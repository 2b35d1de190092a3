// Lines of what objchange watch --record has written. Their values are packed, so that
// objchange makes the documents of them: it gets the lines of some requests and of their
// provider, and no other.

import { ask } from "./ask.js";
import { child, layout, parse, value } from "./json.js";

// named are the requests that documents can say: those about a resource.
const named = /^(Plan|Apply)ResourceChange$|^ReadResource$|^(Upgrade|Move|Import)ResourceState$/;

const most = { requests: 32, size: 1 << 20 }; // that are asked about at once, if not one alone is larger

// lineOf returns what a line of a recording has, and undefined for what is none. Newer
// ones may have other kinds.
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

// A Recording is what was given of one, in as many parts as one likes.
export class Recording {
  static is = (text) => ["recording", "provider", "rpc"].includes(firstKind(text));
  static begins = (text) => firstKind(text) === "recording";

  redacted = false;
  providers = new Map(); // their lines by address
  requests = [];
  seen = new Map(); // by the line of a request, which it is, or undefined for one of the others
  numbers = new Map(); // how many there are of a kind
  answers = new Map(); // by request: what objchange answered, and in which line it was
  others = 0; // requests of which no document speaks

  // add takes lines, and returns what there is to choose from by now, what of it was
  // given first in these lines, and what is to be said.
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

  // request keeps a request, and returns which it is, if a document can speak of it.
  // Those that were not answered have no number.
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
      if (this.others > 0) said.push(`No document speaks of ${this.others} others.`);
      said.push(this.redacted
        ? "The recording is redacted: texts and numbers are others than in the run."
        : "Documents have all values in clear, and so has a link to one.");
      return { choices: this.requests.map((r) => r.label), chosen, kind: "request of the recording", requests: this, note: said.join(" ") };
    }
    if (this.others > 0) said.push("No document speaks of these requests: they neither plan or apply a resource nor read, upgrade, move or import one.");
    else if (this.providers.size > 0) said.push("The line of the provider is there: add those of requests.");
    else said.push("The first line of a recording is there: add those of a provider and of requests.");
    return { note: said.join(" ") };
  }

  get length() {
    return this.requests.length;
  }

  // question returns the lines that are asked about the n-th request, and in which of
  // them it and others are: reading the schemas takes longest, so that some more of the
  // provider come along. Each has so many of its kind before it that it gets its number.
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

  // size is how much must be asked about the n-th request.
  size = (n) => (this.answers.has(n) ? 0 : this.question(n).lines.reduce((sum, line) => sum + line.length, 0));

  // document resolves to the text of the document of the n-th request, or documents, and
  // what made says of it.
  async document(n) {
    const { provider } = this.requests[n];
    if (!this.providers.has(provider)) throw new Error(`The line of the provider ${provider} is missing, which has the schemas: add it.`);
    if (!this.answers.has(n)) this.ask(n);
    const { answer, line, others } = this.answers.get(n);
    const { text, tree } = await answer;
    const number = (x) => value({ text }, child(x, "line"));
    const errors = child(tree, "errors")?.items ?? [];
    if (others && errors.some((e) => value({ text }, child(e, "pointer")) === "/recording" && number(e) <= line)) {
      this.answers.delete(n);
      this.ask(n, 1); // the answer would be too large with others
      return this.document(n);
    }
    const wrong = errors.find((e) => [undefined, 1, line].includes(number(e)));
    if (wrong) throw new Error("It cannot be used: " + value({ text }, child(wrong, "message")));
    return made(text, child(tree, "result").items.filter((x) => number(x) === line));
  }

  ask(n, requests) {
    const { lines, at } = this.question(n, requests);
    const answer = ask({ command: "unpack", recording: lines.join("\n") + "\n" }).then((text) => ({ text, tree: parse(text) }));
    for (const [i, line] of at) this.answers.set(i, { answer, line, others: at.size > 1 });
  }
}

// unreadable says which of so many lines cannot be read.
function unreadable(broken, lines) {
  const said = [];
  if (broken.at(-1) === lines) said.push(`The last line, ${broken.pop()}, is not whole.`);
  if (broken.length === 1) said.push(`Line ${broken[0]} cannot be read.`);
  if (broken.length > 1) said.push(`${broken.length} lines cannot be read, the first of which is line ${broken[0]}.`);
  return said;
}

// made returns the text of the documents of a request, as unpack has them, a note of what
// is missing in it, and which objects it is about.
function made(text, found) {
  const all = (name) => found.map((x) => child(x, name)).filter((x) => x);
  const [missing] = all("note").map((x) => value({ text }, x));
  const documents = all("document").map((x) => layout(text, x));
  if (documents.length === 0) throw new Error(`There is no document of this one: ${missing ?? "no rule speaks of it"}.`);
  const objects = all("object").map((x) => text.slice(x.start, x.end));
  return { document: documents.join("\n"), note: missing && `Of this one, ${missing}.`, missing, object: objects.join(", ") };
}
