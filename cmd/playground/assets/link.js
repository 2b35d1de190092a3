// The document in the fragment of a link: its text, deflated, in base64url.

const largest = 4 << 20; // the limit of texts

async function through(stream, bytes, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error("the text is too large");
    }
    parts.push(value);
  }
}

// pack returns the text for a fragment.
export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text), Infinity);
  let binary = "";
  for (let i = 0; i < bytes.length; i += 1 << 15) binary += String.fromCharCode(...bytes.subarray(i, i + (1 << 15)));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// unpack returns the text of a fragment, or fails if pack did not make it.
export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes, largest));
}
