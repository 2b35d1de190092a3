// What the page asks, as WebAssembly in the page itself.
import { load } from "./objchange.mjs";

const answer = load(fetch("objchange.wasm"));

// ask resolves to the text of the answer to a request: docs/wasm.md has the form of both.
export const ask = async (request) => (await answer).text(JSON.stringify(request));
