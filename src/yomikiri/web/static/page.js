// Conveniences and nothing more: every function of the page works without them.
"use strict";

const all = (css) => [...document.querySelectorAll(css)];

// The digit pad fills the field at once instead of asking the server for every digit.
for (const pad of all("form[data-pad]")) {
  const field = pad.elements.guess;
  const digits = Number(pad.dataset.pad);
  const free = () => {
    for (const key of pad.querySelectorAll("button[name=add]")) {
      key.disabled = [...field.value].length >= digits || ("once" in pad.dataset && field.value.includes(key.value));
    }
  };
  field.addEventListener("input", free);
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("button[name]");
    if (!key) return;
    event.preventDefault();
    field.value = key.name === "erase" ? [...field.value].slice(0, -1).join("") : field.value + key.value;
    free();
    if ([...field.value].length >= digits) pad.requestSubmit();
  });
}

// A page that has just been loaded says nothing by itself; a live region that is filled afterwards does.
for (const news of all("[data-news]")) setTimeout(() => { news.textContent = news.dataset.news; }, 200);

// Keys, where no field has the focus: "1" "0" is the answer 1H0B, digits fill an open pad, Backspace takes back, the
// arrows step through the game: what was stepped back from is remembered as long as the tab is open. They are off while
// a turn is edited, and where the person has switched them off.
const OFF = "keys-off";
const stored = () => { try { return localStorage.getItem(OFF); } catch { return null; } };
let typed = "";
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || stored() || document.querySelector(".editor")) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const pad = all("form[data-pad]").find((form) => !form.closest("details:not([open])"));
  const undo = document.querySelector("[data-key=Backspace]");
  if (event.key === "ArrowLeft" && undo) {
    sessionStorage.setItem(undo.href, location.href);
    undo.click();
  } else if (event.key === "ArrowRight") {
    const later = sessionStorage.getItem(location.href);
    if (later) location.assign(later);
  } else if (pad && event.key === "Backspace" && pad.elements.guess.value) pad.querySelector("[name=erase]").click();
  else if (event.key === "Backspace") undo?.click();
  else if (pad) [...pad.querySelectorAll("[name=add]")].find((key) => key.value === event.key)?.click();
  else if (/^[0-9]$/.test(event.key)) {
    typed = (typed + event.key).slice(-2);
    document.querySelector(`a[data-key="${typed}"]`)?.click();
  }
});
for (const box of all("[data-keys]")) {
  box.closest("[hidden]").hidden = false;
  box.checked = !stored();
  box.addEventListener("change", () => {
    try { box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1"); } catch { /* then they stay on */ }
  });
}

// Turns that stand on one line begin with the last ones in view.
for (const strip of all(".strip")) strip.scrollLeft = strip.scrollWidth;

// What takes over half a second says so; a page that is come back to does not.
const working = document.querySelector(".working");
const waits = () => setTimeout(() => { working.hidden = false; }, 500);
let timer = 0;
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const leaves = link && link.href.split("#")[0] !== location.href.split("#")[0] && !link.hasAttribute("download");
  if (leaves && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey) timer = waits();
});
addEventListener("submit", () => { timer = waits(); });
addEventListener("pageshow", () => { clearTimeout(timer); if (working) working.hidden = true; });

// The result is copied where the browser lets a page do so; everywhere it is text that can be selected.
for (const button of all("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.done;
  });
}
