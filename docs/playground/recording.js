// Lines of what objchange watch --record has written. Their values are packed, so that
// objchange makes the documents of them: it gets the line of a request and of its
// provider, and no other.

import { ask } from "./ask.js";
import { child, layout, parse } from "./json.js";

// named are the requests that documents can say: those about a resource.
const named = /^(Plan|Apply)ResourceChange$|^ReadResource$|^(Upgrade|Move|Import)ResourceState$/;

// lineOf returns what a line of a recording has, and undefined for what is none.
function lineOf(text) {
  try {
    const line = JSON.parse(text);
    return ["recording", "provider", "rpc"].includes(line?.kind) ? line : undefined;
  } catch {
    return undefined;
  }
}

const firstLine = (text) => text.trimStart().split("\n", 1)[0];

// A Recording is what was given of one, in as many parts as one likes.
export class Recording {
  static is = (text) => lineOf(firstLine(text)) !== undefined;

  providers = new Map(); // their lines by address
  requests = [];
  numbers = new Map(); // how many there are of a kind
  others = 0; // requests of which no document speaks
  broken = 0; // lines

  add(text) {
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const of = lineOf(line);
      if (of?.kind === "provider") this.providers.set(of.address, line);
      else if (of?.kind === "rpc") this.request(line, of);
      else if (!of) this.broken++;
    }
  }

  // request keeps a request. Those that were not answered have no number.
  request(line, { provider, method = "", type = "", status, time = "" }) {
    const rpc = method.slice(method.lastIndexOf("/") + 1);
    if (!named.test(rpc)) {
      this.others++;
      return;
    }
    const stub = JSON.stringify({ kind: "rpc", provider, method, type });
    const before = this.numbers.get(stub) ?? 0;
    if (!status) this.numbers.set(stub, before + 1);
    const label = `${time.slice(11, 19)} ${rpc} ${type || "-"}${status ? "" : ` #${before + 1}`}`;
    this.requests.push({ line, provider, stub, before, label: label.trim() });
  }

  // given returns what there is to choose from, and what is to be said of it.
  given() {
    const said = [];
    if (this.broken > 0) said.push(this.broken === 1 ? "A line cannot be read." : `${this.broken} lines cannot be read.`);
    if (this.requests.length > 0) {
      if (this.others > 0) said.push(`No document speaks of ${this.others} others.`);
      said.push("Documents have all values in clear, and so has a link to one.");
      return { choices: this.requests.map((r) => r.label), kind: "request of the recording", note: said.join(" ") };
    }
    if (this.others > 0) said.push("No document speaks of these requests: they neither plan or apply a resource nor read, upgrade, move or import one.");
    else said.push("The line of the provider is there: add those of requests.");
    return { note: said.join(" ") };
  }

  // document resolves to the text of the document of the n-th request, or documents, and
  // a note of what is not in it.
  async document(n) {
    const { line, provider, stub, before } = this.requests[n];
    const schemas = this.providers.get(provider);
    if (!schemas) throw new Error(`The line of the provider ${provider} is missing, which has the schemas: add it.`);
    const lines = [schemas, ...Array(before).fill(stub), line]; // so that it gets its number
    const text = await ask({ command: "unpack", recording: lines.join("\n") + "\n" });
    const answer = parse(text);
    const value = (node, name) => child(node, name) && JSON.parse(text.slice(child(node, name).start, child(node, name).end));
    const wrong = child(answer, "errors")?.items[0];
    if (wrong) throw new Error("It cannot be used: " + value(wrong, "message"));
    const found = child(answer, "result").items.filter((x) => value(x, "line") === lines.length);
    const documents = found.map((x) => child(x, "document")).filter((d) => d);
    const note = found.map((x) => value(x, "note")).find((note) => note);
    if (documents.length === 0) throw new Error(`There is no document of this one: ${note ?? "no rule speaks of it"}.`);
    return { document: documents.map((d) => layout(text, d)).join("\n"), note: note && `Of this one, ${note}.` };
  }
}
