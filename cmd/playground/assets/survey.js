// Checks requests one after the other in the background.

import { ask } from "./ask.js";
import { besides, tally } from "./results.js";

const most = 32 << 20; // characters to check, because the module runs in the thread of the page

// survey checks requests as long as wanted returns true, and calls told(n, verdict, object,
// broken) for each. It resolves to a summary.
export async function survey(requests, wanted, told) {
  let [asked, checked, wrong] = [0, 0, 0];
  for (let n = 0; n < requests.length; n++) {
    await new Promise((done) => setTimeout(done)); // input of the user comes first
    if (!wanted()) return "";
    asked += requests.size(n);
    if (asked > most) return `${summary(checked, wrong)} The others exceed the limit of this page: run objchange replay to check them.`.trim();
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
    checked++;
    if (broken) wrong++;
    told(n, verdict(check, subjects, made.missing), made.object, broken);
  }
  return summary(checked, wrong);
}

const summary = (checked, wrong) => (checked > 0 ? `Requests checked: ${checked}. With findings that count: ${wrong}.` : "");

// verdict summarizes the findings of a request.
function verdict(check, subjects, missing) {
  const findings = subjects.flatMap((s) => s.findings);
  const rules = new Set(findings.filter((f) => f.counts).map((f) => f.rule));
  if (rules.size > 0) return "✗ " + [...rules].join(", ");
  if (check.errors) return "cannot be checked";
  return (missing ?? "ok") + besides(tally(subjects));
}
