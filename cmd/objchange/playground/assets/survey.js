// Requests, judged one after the other while the user does something else.

import { ask } from "./ask.js";
import { besides, tally } from "./results.js";

const most = 32 << 20; // characters that are asked about: the module works where the page does

// survey judges requests while they are wanted: told(n, verdict, object, broken) is called
// for each. It resolves to what is to be said of all.
export async function survey(requests, wanted, told) {
  let [asked, judged, wrong] = [0, 0, 0];
  for (let n = 0; n < requests.length; n++) {
    await new Promise((done) => setTimeout(done)); // first, what the user does
    if (!wanted()) return "";
    asked += requests.size(n);
    if (asked > most) return `${summary(judged, wrong)} The others are too large to be judged here in one go: objchange replay names those that are broken.`.trim();
    const made = await requests.document(n).catch(() => undefined);
    if (!wanted()) return "";
    if (!made) {
      told(n, "no document", "", false);
      continue;
    }
    asked += made.document.length;
    const check = JSON.parse(await ask({ command: "check", document: made.document }));
    if (!wanted()) return "";
    const subjects = check.result?.subjects ?? [];
    const broken = tally(subjects).counting > 0;
    judged++;
    if (broken) wrong++;
    told(n, verdict(check, subjects, made.missing), made.object, broken);
  }
  return summary(judged, wrong);
}

const summary = (judged, wrong) => (judged > 0 ? `Of ${judged} that were judged, ${wrong === 0 ? "none is" : wrong === 1 ? "1 is" : `${wrong} are`} broken.` : "");

// verdict says what was found in few words.
function verdict(check, subjects, missing) {
  const findings = subjects.flatMap((s) => s.findings);
  const rules = new Set(findings.filter((f) => f.counts).map((f) => f.rule));
  if (rules.size > 0) return "✗ " + [...rules].join(", ");
  if (check.errors) return "cannot be judged";
  return (missing ?? "ok") + besides(tally(subjects));
}
