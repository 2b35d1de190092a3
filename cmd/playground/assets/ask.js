// Calls objchange, which runs as WebAssembly in the page.
import { load } from "./objchange.mjs";

const answer = load(fetch("objchange.wasm"));

// ask resolves to the text of the answer to a request. docs/wasm.md describes both.
export const ask = async (request) => (await answer).text(JSON.stringify(request));
