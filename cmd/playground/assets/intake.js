// Makes documents from the input: a document, a resource of a plan with its schemas and the
// state after apply, or a request of a recording. A text that is not JSON is an error text.

import { child, isTrue, layout, parse, value } from "./json.js";
import { Recording } from "./recording.js";

// isError reports whether a text is output of Terraform, also with -json, and not a document.
const isError = (text) => !/^\s*(\{|\[\s*[{\]])/.test(text) || /^\s*\{"@level"/.test(text);

// An Intake collects inputs until they are complete.
export class Intake {
  // take takes a text, and returns {document}, {error}, or {choices} of a kind. With choices,
  // it also returns the chosen one if it changes, and requests to be checked, fresh if all
  // are new. A note says which input is missing, or what cannot be done.
  take(text) {
    if (Recording.is(text)) {
      const fresh = !(this.requests instanceof Recording) || Recording.begins(text);
      if (fresh) this.requests = new Recording();
      return { ...this.requests.add(text), fresh };
    }
    this.requests = undefined;
    if (isError(text)) return { error: text };
    let tree;
    try {
      tree = parse(text);
    } catch {
      return { document: text }; // several documents, one per line, or broken JSON
    }
    const has = (name) => child(tree, name) !== undefined;
    let chosen;
    if (has("provider_schemas")) this.schemas = { text, tree };
    else if (has("resource_changes")) [this.plan, chosen] = [{ text, tree }, 0];
    else if (has("values") && has("terraform_version")) this.state = { text, tree };
    else return { document: layout(text, tree) };
    return { ...this.given(), chosen };
  }

  given() {
    if (!this.plan) {
      return { note: (this.schemas ? "The schemas are present" : "The state is present") + ": add a plan from terraform show -json." };
    }
    if (!this.schemas) return { note: "The plan is present: add its schemas from terraform providers schema -json." };
    const note = "A plan does not contain the values of the configuration: add them as config to check the plan" +
      (this.state ? "." : ", or add the state after apply from terraform show -json.");
    return { choices: this.changes().map((c) => value(this.plan, child(c, "address"))), kind: "Resource of the plan", note };
  }

  // changes returns the changes of resources in the plan, in order.
  changes() {
    const all = child(this.plan.tree, "resource_changes").items ?? [];
    return all.filter((c) => value(this.plan, child(c, "mode")) === "managed" && child(c, "deposed") === undefined);
  }

  // document resolves to the document of the n-th choice, perhaps with a note.
  async document(n) {
    return this.requests ? this.requests.document(n) : { document: this.planned(n) };
  }

  // planned returns the text of a document of the n-th resource.
  planned(n) {
    const change = this.changes()[n];
    const of = (name) => value(this.plan, child(change, name));
    const provider = child(child(this.schemas.tree, "provider_schemas"), of("provider_name"));
    const schema = child(child(provider, "resource_schemas"), of("type"));
    if (!schema) throw new Error(`the schemas have no ${of("type")} of ${of("provider_name")}`);
    const { text } = this.plan;
    const inside = (name) => child(child(change, "change"), name);
    const fields = [
      ["name", JSON.stringify(of("address"))],
      ["schema", bare(this.schemas.text, child(schema, "block"))],
      ["prior", merged(text, inside("before"), undefined, inside("before_sensitive"))],
      ["initial_planned", merged(text, inside("after"), inside("after_unknown"), inside("after_sensitive"))],
    ];
    const after = this.state && resource(this.state, child(child(this.state.tree, "values"), "root_module"), of("address"));
    if (after) fields.push(["new", merged(this.state.text, child(after, "values"), undefined, child(after, "sensitive_values"))]);
    const whole = `{${fields.map(([name, part]) => JSON.stringify(name) + ":" + part).join(",")}}`;
    return layout(whole, parse(whole));
  }
}

// resource returns the resource with an address in a module of a state, or in its child modules.
function resource(state, module, address) {
  const found = child(module, "resources")?.items?.find((r) => value(state, child(r, "address")) === address);
  if (found) return found;
  for (const below of child(module, "child_modules")?.items ?? []) {
    const inside = resource(state, below, address);
    if (inside) return inside;
  }
  return undefined;
}

// bare returns a block of a schema without descriptions, which may be most of its size.
const bare = (text, node) => object(node.members
  .filter((m) => !["description", "description_kind"].includes(m.key))
  .map(({ key, node }) => {
    if (key === "block" || key === "nested_type") return [key, bare(text, node)];
    if (key !== "attributes" && key !== "block_types") return [key, text.slice(node.start, node.end)];
    return [key, object(node.members.map((m) => [m.key, bare(text, m.node)]))];
  }));

const object = (fields) => `{${fields.map(([key, part]) => JSON.stringify(key) + ":" + part).join(",")}}`;

// merged combines a value with its unknown and sensitive parts, which plans contain separately.
function merged(text, node, unknown, sensitive) {
  const part = isTrue(text, unknown) ? '{"$unknown":true}' : inner(text, node, unknown, sensitive);
  return part !== undefined && isTrue(text, sensitive) ? `{"$sensitive":${part}}` : part;
}

function inner(text, node, unknown, sensitive) {
  if (isTrue(text, sensitive)) sensitive = undefined; // the whole value is marked already
  if (node?.items || unknown?.items) {
    const size = Math.max(node?.items?.length ?? 0, unknown?.items?.length ?? 0);
    const items = Array.from({ length: size }, (_, i) => merged(text, child(node, i), child(unknown, i), child(sensitive, i)) ?? "null");
    return node || items.length > 0 ? `[${items.join(",")}]` : undefined;
  }
  if (node?.members || (!node && unknown?.members)) {
    const keys = new Set([...(node?.members ?? []), ...(unknown?.members ?? [])].map((m) => m.key));
    const fields = [...keys]
      .map((key) => [key, merged(text, child(node, key), child(unknown, key), child(sensitive, key))])
      .filter(([, part]) => part !== undefined);
    if (!node && fields.length === 0) return undefined;
    return fields.some(([key]) => key.startsWith("$")) ? `{"$literal":${object(fields)}}` : object(fields);
  }
  return node && text.slice(node.start, node.end);
}
