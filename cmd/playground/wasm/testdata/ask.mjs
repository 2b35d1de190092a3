// Sends requests to a build: node ask.mjs js|wasip1 MODULE FOLDER. From stdin it reads the
// requests, those to repeat, the number of calls, and the number of calls before the first
// measurement of memory. It prints the answer to each request, and both sizes of memory.
import { text } from "node:stream/consumers";

const [system, module, folder] = process.argv.slice(2);
const { open } = await import(`./${system}.mjs`);
const { answer, size } = await open(module, folder);
const { requests, repeated, first, calls } = JSON.parse(await text(process.stdin));
const answers = requests.map(answer);
let before = size();
for (let n = 0; n < calls; n++) {
  if (n === first) before = size();
  answer(repeated[n % repeated.length]);
}
const told = JSON.stringify({ answers, before, after: size() });
process.stdout.write(told, () => process.exit()); // the js build waits for calls
