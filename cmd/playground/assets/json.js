// JSON with places. Values stay text because numbers of JavaScript are less exact than
// Terraform's.

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const string = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
const word = /true|false|null/y;
const blank = /[ \t\r\n]*/y;
const deepest = 1000;

// A Broken is thrown for text that is not JSON, with the offset of the error.
export class Broken extends Error {
  constructor(offset, message) {
    super(message);
    this.offset = offset;
  }
}

// parse returns the tree of a JSON text. A node has start and end, and members, a list
// of {key, start, node}, if it is an object, or items if it is an array.
export function parse(text) {
  let at = 0;
  const match = (pattern) => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (mark) => {
    match(blank);
    if (text[at] !== mark) return false;
    at++;
    return true;
  };
  const fail = (wanted) => {
    throw new Broken(at, at >= text.length ? `the text ends, but ${wanted} is missing` : `want ${wanted}`);
  };
  const list = (end, one) => {
    const all = [];
    if (take(end)) return all;
    do all.push(one());
    while (take(","));
    if (!take(end)) fail(`"," or "${end}"`);
    return all;
  };
  const value = (depth) => {
    match(blank);
    const node = { start: at, end: at };
    if (depth > deepest) throw new Broken(at, `the nesting exceeds ${deepest} levels`);
    if (take("{")) node.members = list("}", () => member(depth));
    else if (take("[")) node.items = list("]", () => value(depth + 1));
    else if (!match(string) && !match(number) && !match(word)) fail("a value");
    node.end = at;
    return node;
  };
  const member = (depth) => {
    match(blank);
    const start = at;
    if (!match(string)) fail("a name in double quotes");
    const key = JSON.parse(text.slice(start, at));
    if (!take(":")) fail('":"');
    return { key, start, node: value(depth + 1) };
  };
  const tree = value(0);
  match(blank);
  if (at < text.length) fail("the end");
  return tree;
}

// child returns the member or item with the name, the last one if several have it, or
// undefined.
export function child(node, name) {
  if (node?.items) return node.items[name];
  return node?.members?.findLast((m) => m.key === name)?.node;
}

// steps returns the names of a JSON pointer.
export const steps = (pointer) =>
  pointer.split("/").slice(1).map((s) => s.replaceAll("~1", "/").replaceAll("~0", "~"));

// locate returns the node at the names, or its nearest ancestor that is present.
export function locate(tree, names) {
  let node = tree;
  for (const name of names) {
    const next = child(node, name);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

// layout returns the text of a node, indented, with short values on one line.
export function layout(text, node, indent = "") {
  const parts = node.members
    ? node.members.map((m) => [JSON.stringify(m.key) + ": ", m.node])
    : node.items?.map((n) => ["", n]);
  if (!parts?.length) return text.slice(node.start, node.end);
  const [open, close] = node.members ? "{}" : "[]";
  if (node.end - node.start < 400) {
    const line = open + parts.map(([name, n]) => name + layout(text, n, "")).join(", ") + close;
    if (indent.length + line.length <= 72 && !line.includes("\n")) return line;
  }
  const inner = indent + "  ";
  const lines = parts.map(([name, n]) => inner + name + layout(text, n, inner));
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

// lineOf returns the line of an offset, from 0.
export function lineOf(text, offset) {
  let line = 0;
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) line++;
  return line;
}

// lineStart returns the offset at which a line begins.
export function lineStart(text, line) {
  let at = 0;
  for (; line > 0; line--) at = text.indexOf("\n", at) + 1;
  return at;
}
