// The wasip1 build in Node: open makes an instance of the module.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

export async function open(module) {
  const wasi = new WASI({ version: "preview1" });
  const imports = wasi.getImportObject();
  for (const [name, call] of Object.entries(imports.wasi_snapshot_preview1)) {
    // Called directly, Node 20 crashes when the memory has grown.
    imports.wasi_snapshot_preview1[name] = (...args) => call(...args);
  }
  const { instance } = await WebAssembly.instantiate(await readFile(module), imports);
  wasi.initialize(instance);
  const { memory, objchange_request, objchange_answer } = instance.exports;

  function answer(request) {
    const bytes = new TextEncoder().encode(request);
    const room = objchange_request(bytes.length) >>> 0;
    if (room === 0) throw new Error("the request is too large");
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const place = BigInt.asUintN(64, objchange_answer());
    const [at, size] = [Number(place >> 32n), Number(place & 0xffffffffn)];
    return new TextDecoder().decode(new Uint8Array(memory.buffer, at, size));
  }
  return { answer, size: () => memory.buffer.byteLength };
}
