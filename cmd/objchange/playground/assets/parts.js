// The document in its parts, each with a text area for itself.

import { child, layout, parse } from "./json.js";

// shown are the parts that are always there, with what they hold; rare are others.
export const shown = [
  ["schema", "of the resource type, as terraform providers schema -json has it"],
  ["prior", "the refreshed state that the run starts from; null: to be created"],
  ["config", "the configuration when the plan was made; null: to be deleted"],
  ["initial_planned", "what the provider planned for config"],
  ["final_config", "the configuration at apply, all of it known"],
  ["final_planned", "what the provider planned for final_config"],
  ["new", "the state that the provider returned after apply"],
];
export const rare = [
  ["proposed", "what was sent to the provider, to be held against Core's"],
  ["requires_replace", "the paths that the provider says require replacement"],
  ["upgraded", "the prior state as the provider upgraded it"],
  ["imported", "what the provider imported"],
  ["name", "what the run is called, in double quotes"],
  ["legacy_type_system", "true: the provider is built with the legacy SDK"],
];
const known = [...shown, ...rare].map(([name]) => name);

// split returns the text of each part of a document, and undefined for what is not one
// document of known parts, each there once.
export function split(text) {
  let tree;
  try {
    tree = parse(text);
  } catch {
    return undefined;
  }
  const keys = tree.members?.map((m) => m.key);
  if (!keys || new Set(keys).size < keys.length || keys.some((k) => !known.includes(k) && k !== "$schema")) return undefined;
  return new Map(known.map((name) => {
    const node = child(tree, name);
    return [name, node ? layout(text, node) : ""];
  }));
}

// join returns the document of parts, without those that are empty.
export function join(parts) {
  const fields = [...parts].filter(([, text]) => text.trim() !== "")
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${text.trim().replaceAll("\n", "\n  ")}`);
  return fields.length > 0 ? `{\n${fields.join(",\n")}\n}` : "";
}
