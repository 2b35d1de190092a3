// The js build in Node. open instantiates the module with the scripts in the folder.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

export async function open(module, folder) {
  let memory;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const made = await instantiate(...args);
    memory = made.instance?.exports.mem ?? memory; // Node itself instantiates others
    return made;
  };
  const { load } = await import(pathToFileURL(`${folder}/objchange.mjs`));
  const answer = await load(readFile(module));
  return { answer: answer.text, size: () => memory.buffer.byteLength };
}
