// What the page asks, of the program that serves it.

// ask resolves to the text of the answer to a request: docs/wasm.md has the form of both.
export async function ask(request) {
  const response = await fetch("answer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`objchange answers ${response.status} ${response.statusText}`);
  return response.text();
}
