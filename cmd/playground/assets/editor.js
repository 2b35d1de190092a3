import { lineOf } from "./json.js";

const most = 24; // lines without scrolling

// An Editor is a text area with line numbers, in which lines can be marked.
export class Editor {
  constructor(template, name, hint, changed) {
    this.name = name;
    this.element = template.content.firstElementChild.cloneNode(true);
    const find = (selector) => this.element.querySelector(selector);
    [this.area, this.gutter, this.bars, this.error] = ["textarea", ".gutter", ".bars", ".error"].map(find);
    this.element.dataset.part = name;
    this.area.id = "part-" + name;
    this.error.id = "error-" + name;
    const label = find("label");
    label.htmlFor = this.area.id;
    label.textContent = name;
    const about = find(".hint");
    about.id = "hint-" + name;
    about.textContent = hint;
    this.area.setAttribute("aria-describedby", `${about.id} ${this.error.id}`);
    this.area.addEventListener("input", () => {
      this.number();
      changed(this);
    });
    this.area.addEventListener("scroll", () => this.scrolled());
    this.number();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.scrollTop = this.area.scrollLeft = 0;
    this.number();
    this.unmark();
  }

  get empty() {
    return this.text.trim() === "";
  }

  // number writes the numbers of the lines.
  number() {
    const lines = lineOf(this.text, Infinity) + 1;
    if (lines !== this.lines) {
      this.lines = lines;
      this.gutter.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
      this.area.rows = Math.min(Math.max(lines, 2), most);
    }
    this.scrolled();
  }

  scrolled() {
    const shift = `translateY(${-this.area.scrollTop}px)`;
    this.gutter.style.transform = shift;
    this.bars.style.transform = shift;
  }

  unmark() {
    this.bars.replaceChildren();
    this.error.textContent = "";
    this.area.removeAttribute("aria-invalid");
  }

  // mark marks the line of an offset. The tests read the number of the line from the mark.
  mark(offset, kind) {
    const line = lineOf(this.text, offset);
    const bar = document.createElement("div");
    bar.className = "bar " + kind;
    bar.dataset.line = line + 1;
    bar.style.top = `${line * 1.25}rem`;
    this.bars.append(bar);
    this.area.setAttribute("aria-invalid", "true");
  }

  // fail marks the line of an offset, and shows an error message.
  fail(offset, message) {
    this.mark(offset, "broken");
    this.error.textContent = `line ${lineOf(this.text, offset) + 1}: ${message}`;
  }

  // show selects a place and brings it into view.
  show(start, end) {
    this.element.closest("details")?.setAttribute("open", "");
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    const height = this.area.scrollHeight / this.lines;
    this.area.scrollTop = Math.max(0, (lineOf(this.text, start) - 3) * height);
    this.area.scrollLeft = 0;
    this.element.scrollIntoView({ block: "nearest" });
  }
}
