// A convenience and nothing more: every function of the page works without it.
"use strict";

// The digit pad fills the field at once instead of asking the server for every digit.
for (const pad of document.querySelectorAll("form[data-pad]")) {
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
const news = document.querySelector("[data-news]");
if (news) setTimeout(() => { news.textContent = news.dataset.news; }, 200);
