// The page: what is written goes to objchange, and what it answers is shown.

import { ask } from "./ask.js";
import { Editor } from "./editor.js";
import { Intake } from "./intake.js";
import { Broken, lineStart, locate, parse, steps } from "./json.js";
import { pack, unpack } from "./link.js";
import { join, rare, shown, split } from "./parts.js";
import { Results } from "./results.js";

const pause = 120; // milliseconds without a key until what is written is judged
const longest = 32_000; // characters of a link that is safe to pass on

const $ = (id) => document.getElementById(id);
const editors = new Map();
const whole = new Editor($("part"), "document", "one, an array of them, or one a line", edited);
for (const [names, place] of [[shown, $("parts")], [rare, $("rare")]]) {
  for (const [name, hint] of names) {
    const editor = new Editor($("part"), name, hint, edited);
    editors.set(name, editor);
    place.append(editor.element);
  }
}
$("whole").append(whole.element);
const views = document.querySelectorAll("input[name=view]");
const results = new Results(place);
let intake = new Intake();
let about = ""; // what was given
let examples;

const isWhole = () => !$("whole").hidden;
const text = () => (isWhole() ? whole.text : join([...editors].map(([name, e]) => [name, e.text])));

// write shows a document: in parts, unless it cannot be.
function write(document, wantWhole = isWhole()) {
  const parts = split(document);
  view(wantWhole || (!parts && document.trim() !== ""));
  whole.text = isWhole() ? document : "";
  for (const [name, editor] of editors) editor.text = (!isWhole() && parts?.get(name)) || "";
  $("more").open = rare.some(([name]) => !editors.get(name).empty);
  $("linked").textContent = "";
  return judge();
}

function view(asWhole) {
  for (const radio of views) radio.checked = (radio.value === "whole") === asWhole;
  $("whole").hidden = !asWhole;
  $("parts").hidden = $("more").hidden = asWhole;
}

let waiting;
let asked = 0; // what is answered to an older question is dropped

function busy() {
  clearTimeout(waiting);
  $("results").setAttribute("aria-busy", "true");
  return ++asked;
}

function edited() {
  busy();
  waiting = setTimeout(judge, pause);
  $("linked").textContent = "";
}

// judge asks about what is there now, and shows the answer.
async function judge() {
  const turn = busy();
  const start = performance.now();
  try {
    await answer(() => turn === asked);
  } catch (failed) {
    results.failed(failed);
  }
  performance.measure("answer", { start });
  if (turn === asked) $("results").setAttribute("aria-busy", "false");
}

async function answer(wanted) {
  if (broken()) return results.broken();
  const document = text();
  if (document.trim() === "") return results.none();
  const answers = {};
  for (const command of ["check", "propose", "diff"]) {
    answers[command] = await ask({ command, document });
    if (!wanted()) return;
  }
  unmark();
  results.show(answers);
}

function unmark() {
  for (const e of [whole, ...editors.values()]) e.unmark();
}

// broken marks what is no JSON, and reports whether there is such a part. Of the whole
// document objchange says it.
function broken() {
  if (isWhole()) return false;
  let found = false;
  unmark();
  for (const e of editors.values()) {
    if (e.empty) continue;
    try {
      parse(e.text);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      e.fail(error.offset, error.message);
      found = true;
    }
  }
  return found;
}

// place returns where a pointer leads to, as {show, mark}, by the line of the document
// if there is nothing better.
function place(pointer, line = 1) {
  let names = steps(pointer);
  const editor = isWhole() ? whole : editors.get(names.shift());
  if (!editor) return undefined;
  let node;
  try {
    node = locate(parse(editor.text), names);
  } catch {
    node = { start: lineStart(editor.text, line - 1), end: lineStart(editor.text, line - 1) };
  }
  return {
    show: () => editor.show(node.start, node.end),
    mark: (kind) => editor.mark(node.start, kind),
  };
}

// take shows what somebody has given, or says what is missing.
function take(given) {
  $("example").value = "";
  history.replaceState(null, "", location.pathname);
  const { document, choices, kind, note } = intake.take(given);
  $("note").textContent = about = note ?? "";
  $("chosen").hidden = !choices;
  if (choices) {
    $("kind").textContent = kind;
    $("resource").replaceChildren(...choices.map((name, i) => new Option(name, i)));
    return choose();
  }
  return document === undefined ? undefined : write(document);
}

// choose shows the document of what is chosen.
async function choose() {
  const turn = busy();
  let made;
  try {
    made = await intake.document($("resource").value);
  } catch (failed) {
    made = { document: "", note: failed.message };
  }
  if (turn !== asked) return; // something else is to be shown by now
  $("note").textContent = made.note ? `${about} ${made.note}` : about;
  return write(made.document);
}

async function example(rule) {
  examples ??= await (await fetch("examples.json")).json();
  $("note").textContent = "";
  $("chosen").hidden = true;
  if (!Object.hasOwn(examples, rule)) {
    $("note").textContent = `There is no example of a rule ${rule} that can be opened here.`;
    return write("");
  }
  $("example").value = rule;
  return write(examples[rule]);
}

// open shows what the fragment says: the example of a rule, or a document.
async function open() {
  busy();
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has("rule")) return example(fragment.get("rule"));
  if (!fragment.has("doc")) return judge();
  try {
    await write(await unpack(fragment.get("doc")));
  } catch {
    $("note").textContent = "The link is not whole: its document cannot be read.";
    await judge();
  }
}

async function link() {
  const address = new URL("#doc=" + (await pack(text())), location.href).href;
  history.replaceState(null, "", address);
  let said = "The link is in the address bar";
  try {
    await navigator.clipboard.writeText(address);
    said += " and copied";
  } catch {
    // the address bar has it
  }
  if (address.length > longest) said += `. It has ${address.length} characters, which not every program passes on`;
  $("linked").textContent = said + ".";
}

async function files(list) {
  busy();
  intake = new Intake();
  for (const file of list) {
    const given = await file.text().catch(() => undefined);
    if (given !== undefined) await take(given);
    else $("note").textContent = `${file.name} cannot be read, or is too large for a page.`;
  }
  return judge();
}

$("example").addEventListener("change", (e) => {
  if (e.target.value) location.hash = "rule=" + e.target.value;
});
$("file").addEventListener("change", (e) => files(e.target.files));
$("pasted").addEventListener("input", (e) => {
  const given = e.target.value;
  if (given.trim() === "") return;
  e.target.value = "";
  take(given);
});
$("resource").addEventListener("change", choose);
$("link").addEventListener("click", link);
$("clear").addEventListener("click", () => {
  intake = new Intake();
  history.replaceState(null, "", location.pathname);
  $("example").value = $("note").textContent = "";
  $("chosen").hidden = true;
  write("", false);
});
for (const radio of views) {
  radio.addEventListener("change", () => {
    const wanted = radio.value === "whole";
    const now = text();
    write(now, wanted);
    if (!wanted && isWhole()) $("note").textContent = "Side by side is shown what is one document, with parts that are known.";
  });
}
document.querySelector(".skip").addEventListener("click", (e) => {
  e.preventDefault();
  $("results").focus();
});
addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
  if (e.dataTransfer.files.length === 0) return; // a text that is dragged
  e.preventDefault();
  files(e.dataTransfer.files);
});
addEventListener("hashchange", open);
open();
