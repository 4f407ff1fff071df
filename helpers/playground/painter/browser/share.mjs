// Masks and choices as one line of text: to copy, and to paste one that somebody has sent.

import { make } from "../../../widget/browser/elements.mjs";
import { Popup } from "./popup.mjs";

export class Share extends Popup {
  constructor(store, popups) {
    super("share", "Share", popups);
    this.store = store;
    this.line = make("input", { type: "text", readonly: "", class: "painter-code" });
    this.link = make("input", { type: "text", readonly: "", class: "painter-link" });
    this.pasted = make("input", { type: "text", class: "painter-paste", spellcheck: "false", autocomplete: "off" });
    this.said = make("output", { class: "painter-said" });
    this.panel.append(
      lineOf("What is here now, as a line of text", this.line, pushButton("Copy", () => this.copy(this.line))),
      this.linked = lineOf("The same as a link, for whoever has no kernel", this.link,
        pushButton("Copy the link", () => this.copy(this.link))),
      lineOf("A line to open here", this.pasted, pushButton("Open", () => this.open())), this.said);
    this.pasted.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.open();
    });
  }

  show(open) {
    super.show(open);
    if (!open) return;
    this.say("");
    this.line.value = "";
    this.showLink("");
    this.store.operate("share");
    this.line.focus();
  }

  say(text) {
    this.said.textContent = text;
  }

  /** Show the address at which the course's site opens the line; there may be none. */
  showLink(address) {
    this.link.value = address;
    this.linked.hidden = !address;
  }

  async copy(input) {
    try {
      await navigator.clipboard.writeText(input.value);
      this.say("Copied.");
    } catch {
      input.focus();
      input.select();
      this.say("The browser does not let this page copy. The text is selected: copy it with the keyboard.");
    }
  }

  open() {
    const line = this.pasted.value.trim();
    this.say(line ? "" : "Paste a line first.");
    this.asked = Boolean(line);
    if (line) this.store.operate("paste", { line });
  }

  /** Take what Python says: the line, a link to it, or that the one that was pasted is open, with a
   *  remark or "". */
  take({ kind, text }) {
    if (this.panel.hidden) return;
    if (kind === "code") {
      this.line.value = text;
      this.showLink(""); // that of another line
      if (document.activeElement === this.line) this.line.select();
    } else if (kind === "link") {
      this.showLink(text);
    } else if (this.asked) {
      this.opened(text);
    }
  }

  opened(remark) {
    this.asked = false;
    this.pasted.value = "";
    if (remark) {
      this.say(remark);
      this.store.operate("share");
    } else {
      this.show(false);
      this.button.focus();
    }
  }
}

function lineOf(label, input, button) {
  return make("div", { class: "painter-line" },
    make("label", {}, make("span", {}, label), input), button);
}

function pushButton(text, press) {
  const button = make("button", { type: "button" }, text);
  button.addEventListener("click", press);
  return button;
}
