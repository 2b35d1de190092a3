// The parts of a document, each with its own text area.

import { child, layout, parse } from "./json.js";

// shown are the parts that are always visible, with hints. rare are other parts.
export const shown = [
  ["schema", "the schema of the resource type, from terraform providers schema -json"],
  ["prior", "the refreshed state before the run; null if the resource is created"],
  ["config", "the configuration for the plan; null if the resource is deleted"],
  ["initial_planned", "the provider's plan for config"],
  ["final_config", "the configuration at apply, wholly known"],
  ["final_planned", "the provider's plan for final_config"],
  ["new", "the state that the provider returned after apply"],
];
export const rare = [
  ["proposed", "the proposed new state that was sent to the provider, to compare with Core's"],
  ["requires_replace", "the paths that the provider says require replacement"],
  ["upgraded", "the prior state as the provider upgraded it"],
  ["imported", "the state that the provider imported"],
  ["name", "the name of the run, in double quotes"],
  ["legacy_type_system", "true if the provider uses the legacy SDK"],
];
const known = [...shown, ...rare].map(([name]) => name);

// split returns the text of each part of a document. It returns undefined unless the text is a
// single document in which each part is known and occurs once.
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

// join returns the document of the parts that are not empty.
export function join(parts) {
  const fields = [...parts].filter(([, text]) => text.trim() !== "")
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${text.trim().replaceAll("\n", "\n  ")}`);
  return fields.length > 0 ? `{\n${fields.join(",\n")}\n}` : "";
}
