// The page: it sends the entered text to objchange, and shows the results.

import { ask } from "./ask.js";
import { Editor } from "./editor.js";
import { Broken, layout, lineStart, locate, parse, steps } from "./json.js";
import { pack, unpack } from "./link.js";
import { join, rare, shown, split } from "./parts.js";
import { Results } from "./results.js";
import { rules } from "./rules.js";

const pause = 120; // milliseconds without a key before the text is checked
const longest = 32_000; // characters of a link that is safe to pass on

const $ = (id) => document.getElementById(id);
const editors = new Map();
const error = new Editor($("part"), "error", "output of Terraform or OpenTofu, or a log", edited);
const whole = new Editor($("part"), "document", "one document, an array of documents, or one document per line", edited);
for (const [names, place] of [[shown, $("parts")], [rare, $("rare")]]) {
  for (const [name, hint] of names) {
    const editor = new Editor($("part"), name, hint, edited);
    editors.set(name, editor);
    place.append(editor.element);
  }
}
$("whole").append(whole.element);
$("error").append(error.element);
const views = document.querySelectorAll("input[name=view]");
const results = new Results(place);

function note(said) {
  if ($("note").textContent !== said) $("note").textContent = said;
}

// unlink removes the link to a document that the page no longer shows.
function unlink() {
  $("example").value = "";
  if (location.hash) history.replaceState(null, "", location.pathname);
}

const isWhole = () => !$("whole").hidden;
const isError = () => !$("error").hidden;
const documents = () => whole.text || join([...editors].map(([name, e]) => [name, e.text]));
const text = () => (isError() ? error.text : documents());

// write shows a document, in parts if possible.
function write(document, wantWhole = isWhole()) {
  const parts = split(document);
  view(wantWhole || (!parts && document.trim() !== "") ? "whole" : "parts");
  whole.text = isWhole() ? document : "";
  for (const [name, editor] of editors) editor.text = (!isWhole() && parts?.get(name)) || "";
  $("more").open = rare.some(([name]) => !editors.get(name).empty);
  $("linked").textContent = "";
  return check();
}

// explain shows an error text.
function explain(given) {
  view("error");
  error.text = given;
  $("linked").textContent = "";
  return check();
}

function view(name) {
  for (const radio of views) radio.checked = radio.value === name;
  $("whole").hidden = name !== "whole";
  $("error").hidden = name !== "error";
  $("parts").hidden = $("more").hidden = name !== "parts";
  $("document").textContent = name === "error" ? "Error text" : "Document";
}

let waiting;
let asked = 0; // the number of the last request; results of older requests are discarded

function busy() {
  clearTimeout(waiting);
  $("results").setAttribute("aria-busy", "true");
  return ++asked;
}

function edited() {
  busy();
  unlink();
  waiting = setTimeout(check, pause);
  $("linked").textContent = "";
}

// check checks the current text, and shows the results.
async function check() {
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
  if (isError()) {
    if (error.empty) return results.none();
    const explained = await ask("explain", text());
    if (wanted()) results.explain(explained);
    return;
  }
  if (broken()) return results.broken();
  const document = text();
  if (document.trim() === "") return results.none();
  const answers = {};
  for (const command of ["check", "propose"]) {
    answers[command] = await ask(command, document);
    if (!wanted()) return;
  }
  unmark();
  results.show(answers);
}

function unmark() {
  for (const e of [whole, ...editors.values()]) e.unmark();
}

// broken marks the parts that are not JSON, and reports whether one exists. For the whole
// document, objchange reports the error.
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

// place returns the place of a pointer as {show, mark}. If the text cannot be parsed, it is
// the line of the document.
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

// isErrorText reports whether a text is output of Terraform, also with -json, and not a document.
const isErrorText = (text) => !/^\s*(\{|\[\s*[{\]])/.test(text) || /^\s*\{"@level"/.test(text);

// take shows a document or an error text.
function take(given) {
  unlink();
  note("");
  if (isErrorText(given)) return explain(given);
  let document = given;
  try {
    document = layout(given, parse(given));
  } catch {
    // several documents, one per line, or broken JSON
  }
  return write(document);
}

function example(rule) {
  const text = Object.hasOwn(rules, rule) && rules[rule].example;
  if (!text) {
    note(`The playground has no example of a rule ${rule}.`);
    return write("");
  }
  $("example").value = rule;
  return write(text);
}

// open shows the example of a rule, the document or the error text in the fragment.
async function open() {
  const turn = busy();
  const fragment = new URLSearchParams(location.hash.slice(1));
  const kind = ["rule", "doc", "error"].find((name) => fragment.has(name));
  if (!kind) return check();
  note("");
  if (kind === "rule") return example(fragment.get(kind));
  $("example").value = "";
  const given = await unpack(fragment.get(kind)).catch(() => undefined);
  if (turn !== asked) return undefined;
  if (given === undefined) note("The link is incomplete: its document cannot be read.");
  return kind === "error" ? explain(given ?? "") : write(given ?? "");
}

async function link() {
  const turn = asked;
  const address = new URL((isError() ? "#error=" : "#doc=") + (await pack(text())), location.href).href;
  if (turn !== asked) return; // the page shows something else
  history.replaceState(null, "", address);
  let said = "The link is in the address bar";
  try {
    await navigator.clipboard.writeText(address);
    said += " and copied";
  } catch {
    // the address bar contains the link
  }
  if (address.length > longest) said += `. It has ${address.length} characters, and some programs truncate such links`;
  $("linked").textContent = said + ".";
}

// read returns the text of a file. PowerShell writes the output of commands as UTF-16.
async function read(file) {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  return new TextDecoder(first === 0xff && second === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
}

// file shows the first of the opened files.
async function file([first, ...others]) {
  const turn = busy();
  const given = await read(first).catch(() => undefined);
  if (turn !== asked) return undefined;
  const shown = given === undefined ? check() : take(given);
  if (given === undefined) note(`${first.name} cannot be read, or is too large.`);
  else if (others.length > 0) note(`The page shows one file at a time. It shows ${first.name}.`);
  return shown;
}

$("example").addEventListener("change", (e) => {
  if (e.target.value) location.hash = "rule=" + e.target.value;
});
$("file").addEventListener("change", (e) => {
  if (e.target.files.length > 0) file([...e.target.files]);
  e.target.value = ""; // allows to open the same file again
});
$("pasted").addEventListener("input", (e) => {
  const given = e.target.value;
  if (given.trim() === "") return;
  e.target.value = "";
  take(given);
});
$("link").addEventListener("click", link);
$("clear").addEventListener("click", () => {
  unlink();
  note("");
  error.text = "";
  write("", false);
});
for (const radio of views) {
  radio.addEventListener("change", () => {
    const wanted = radio.value === "whole";
    if (isError() || radio.value === "error") unlink(); // the address contains the previous text
    if (radio.value === "error") return explain(error.text);
    write(documents(), wanted);
    if (!wanted && isWhole()) note("The page can show parts side by side only for a single document whose parts are all known.");
  });
}
for (const a of document.querySelectorAll("a[href='#results']")) {
  a.addEventListener("click", (e) => {
    e.preventDefault();
    $("results").focus({ preventScroll: true });
    $("results").scrollIntoView();
  });
}
addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
  if (e.dataTransfer.files.length === 0) return; // dragged text
  e.preventDefault();
  file([...e.dataTransfer.files]);
});
addEventListener("hashchange", open);
open();
