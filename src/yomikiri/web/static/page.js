// Optional: every function of the page works without this script. Its data stay in this browser.
"use strict";

document.documentElement.classList.add("js");
const all = (css, within = document) => [...within.querySelectorAll(css)];
const one = (css, within = document) => within.querySelector(css);
const kept = {
  get(name) { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* storage is off or full */ } },
  delete(name) { try { localStorage.removeItem(name); } catch { /* storage is off */ } },
};
const says = (element, name, values) => {
  element.textContent = element.dataset[name].replace(/\{(\w+)\}/g, (_all, field) => values[field]);
  element.hidden = false;
};
const ours = (href) => { try { return new URL(href, location.origin).origin === location.origin; } catch { return false; } };

// --- the record in this browser: results of days, solved puzzles, notes on keys
const record = () => ({ days: {}, puzzles: {}, solved: [], notes: {}, ...kept.get("record") });
const last = (notes, count = 20) => Object.fromEntries(Object.entries(notes).slice(-count));

// --- typing a guess: keys fill the tiles without a request for each digit
for (const form of all("form[data-pad]")) {
  const field = form.elements.guess, digits = Number(form.dataset.pad), waits = "waits" in form.dataset;
  const tiles = one(".tiles", form), pegs = tiles.dataset.pegs, keys = all("button[name=add]", form);
  if (matchMedia("(pointer: coarse)").matches) field.inputMode = "none";
  const show = () => {
    const typed = [...field.value];
    [...tiles.children].forEach((tile, place) => {
      const symbol = typed[place] ?? "";
      tile.textContent = symbol;
      tile.className = `tile${symbol ? "" : " slot"}${place === typed.length ? " at" : ""}${pegs.includes(symbol || "\n") ? ` peg c${pegs.indexOf(symbol)}` : ""}`;
    });
    for (const key of keys) {
      key.disabled = typed.length >= digits;
      key.ariaDisabled = String("once" in form.dataset && typed.includes(key.value));
      key.classList.toggle("in", typed.includes(key.value));
    }
  };
  field.addEventListener("input", show);
  form.addEventListener("click", (event) => {
    const key = event.target.closest("button[name]");
    if (!key || event.defaultPrevented) return;
    event.preventDefault();
    const twice = one("[data-twice]", form);
    if (twice) twice.hidden = true;
    if (key.ariaDisabled === "true") return says(twice, "twice", { digit: key.value });
    field.value = key.name === "erase" ? [...field.value].slice(0, -1).join("") : field.value + key.value;
    show();
    if (!waits && [...field.value].length >= digits) form.requestSubmit();
  });
  show();
}

// --- marking a guess: the keys 0, 1, 2 and letters of colours mark a tile and move on to the next
for (const group of all(".places")) group.addEventListener("keydown", (event) => {
  const places = all("fieldset", group), at = places.indexOf(event.target.closest("fieldset"));
  const mark = ["0bx-", "1y", "2g"].findIndex((keys) => keys.includes(event.key.toLowerCase()));
  if (mark < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  all("input", places[at])[mark].checked = true;
  one(":checked", places[Math.min(at + 1, places.length - 1)]).focus();
});

// --- restore the last choices of level and terms, unless the address contains them
for (const choice of all("[data-remember]")) {
  const { name, value } = choice, parameters = new URLSearchParams(location.search);
  if (!parameters.has(name) && kept.get("terms")?.[name] === value) choice.checked = true;
  choice.addEventListener("change", () => kept.set("terms", { ...kept.get("terms"), [name]: value }));
}

// --- the player's notes on keys in a game against the program: ruled out, certain, or empty
for (const toggle of all("[data-notes]")) {
  const form = toggle.closest("form"), parameters = new URLSearchParams(location.search);
  const name = `game ${parameters.get("seed") ?? parameters.get("day")}`, notes = record().notes[name] ?? {};
  const keys = all("button[name=add]", form), show = () => {
    for (const key of keys) for (const state of ["out", "sure"]) key.classList.toggle(state, (notes[key.value] ?? key.dataset.state) === state);
    const marks = toggle.ariaPressed === "true" || Object.values(notes).some(Boolean);
    for (const legend of all("[data-legend]")) legend.hidden = !marks;
  };
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-pressed", toggle.ariaPressed !== "true");
    show();
  });
  form.addEventListener("click", (event) => {
    const key = event.target.closest("button[name=add]");
    if (!key || toggle.ariaPressed !== "true") return;
    event.preventDefault();
    notes[key.value] = { undefined: "out", out: "sure" }[notes[key.value]];
    const { [name]: _before, ...others } = record().notes;
    kept.set("record", { ...record(), notes: last({ ...others, [name]: notes }) });
    show();
  }, true);
  show();
}

// --- the last game, which the home page offers to continue
const game = one("[data-game]");
// The end of a game deletes only the same saved game: the address of the end contains all values of the saved address.
const ends = ({ href }) => {
  const saved = new URL(href, location.origin), here = new URLSearchParams(location.search);
  const parts = [...saved.searchParams].filter(([name]) => name !== "lang" && name !== "hint");
  return saved.pathname === location.pathname && parts.every(([name, value]) => here.getAll(name).some((now) => now.startsWith(value)));
};
if (game?.dataset.game) kept.set("game", { href: location.pathname + location.search, said: game.dataset.game, code: game.dataset.code ?? "" });
else if (game && kept.get("game") && ends(kept.get("game"))) kept.delete("game");
for (const link of all("[data-resume]")) {
  const played = kept.get("game");
  if (!played || !ours(played.href)) continue;
  link.href = played.href;
  one("small", link).textContent = played.said;
  for (const symbol of played.code) one(".tiles", link).append(Object.assign(document.createElement("span"), { className: "tile", textContent: symbol }));
  link.hidden = false;
}

// --- streak and histogram of days: the first result of a day counts; a late one does not extend the streak
const local = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
const before = (days) => { const date = new Date(); date.setDate(date.getDate() - days); return date; };
const inTime = (result) => result?.found && !result.late;
const streak = (days) => {
  let count = 0;
  for (let ago = days[local(before(0))] ? 0 : 1; inTime(days[local(before(ago))]); ago++) count++;
  return count;
};
const made = (tag, more = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...inside);
  return element;
};

// Only guesses made in this browser count. For each typed guess, the browser stores the list of guesses so far.
const daily = one("[data-day]"), GIVEN_UP = "given up";
const playedOn = (day) => kept.get("played")?.[day] ?? [];
const plays = (guess) => {
  const { day, played } = daily.dataset, list = [...(played ? played.split(",") : []), guess].join();
  const others = Object.entries({ ...kept.get("played"), [day]: undefined }).filter(([, lists]) => lists).slice(-6);
  kept.set("played", { ...Object.fromEntries(others), [day]: [...new Set([...playedOn(day), list])] });
};
const isForeign = ({ day, played, found }) => {
  const guesses = [...(played ? played.split(",") : []), ...(found === "0" ? [GIVEN_UP] : [])], lists = playedOn(day);
  return guesses.some((_guess, at) => !lists.includes(guesses.slice(0, at + 1).join()));
};
if (daily) {
  if (daily.dataset.day > local(before(0))) location.replace(location.href.replace(/day=[\d-]+/, `day=${local(before(0))}`));
  addEventListener("submit", ({ target }) => {
    const typed = (target.elements.guess?.value ?? "").normalize("NFKC").replace(/\s/g, "");
    if (typed) plays(typed);
  });
  for (const link of all("[data-gives-up]")) link.addEventListener("click", () => plays(GIVEN_UP));
  for (const card of all("[data-foreign]")) card.hidden = !isForeign(daily.dataset);
}
const finished = one("[data-found]");
if (finished) {
  const stored = record(), { day, guesses, found } = finished.dataset;
  const isMine = !isForeign(finished.dataset);
  if (isMine && day === local(before(0))) kept.set("today", { day, href: location.pathname + location.search, code: all(".felt .tile").map((tile) => tile.textContent).join("") });
  if (isMine) stored.days[day] ??= { guesses: Number(guesses), found: found === "1", ...(day < local(before(0)) && { late: true }) };
  kept.set("record", stored);
  const results = Object.values(stored.days), wins = results.filter((result) => result.found);
  const most = Math.max(0, ...wins.map((result) => result.guesses)), counts = Array.from({ length: most }, (_none, at) => wins.filter((result) => result.guesses === at + 1).length);
  for (const list of all("[data-histogram]")) {
    counts.forEach((days, at) => {
      const bar = made("i", { className: isMine && found === "1" && Number(guesses) === at + 1 ? "tally now" : "tally" });
      bar.style.width = `${(100 * days) / Math.max(...counts)}%`;
      list.append(made("li", { ariaLabel: list.dataset.histogram.replace("{guesses}", at + 1).replace("{days}", days) }, made("span", { textContent: at + 1 }), made("span", {}, bar), made("b", { textContent: days })));
    });
    list.closest("[hidden]").hidden = !results.length;
  }
}
const days = record().days;
const longest = () => {
  let best = 0, row = 0, next = "";
  for (const day of Object.keys(days).sort()) {
    row = inTime(days[day]) ? (day === next ? row + 1 : 1) : 0;
    best = Math.max(best, row);
    const date = new Date(`${day}T12:00`);
    date.setDate(date.getDate() + 1);
    next = local(date);
  }
  return best;
};
const totals = () => ({ played: Object.keys(days).length, found: Object.values(days).filter((result) => result.found).length, streak: streak(days), best: longest() });
for (const figure of all("[data-total]")) figure.textContent = totals()[figure.dataset.total];
const now = days[local(before(0))], minutes = () => Math.ceil((new Date().setHours(24, 0, 0, 0) - Date.now()) / 60000);
for (const note of all("[data-next]")) if (now) says(note, "next", { time: `${Math.floor(minutes() / 60)}:${String(minutes() % 60).padStart(2, "0")}` });
for (const note of all("[data-streak]")) if (streak(days) > 1) says(note, "streak", { days: streak(days) });
for (const week of all("[data-week]")) {
  if (!Object.keys(days).length) continue;
  for (let ago = 6; ago >= 0; ago--) {
    const date = before(ago), result = days[local(date)];
    week.append(made("li", {}, made("i", { className: inTime(result) ? "yes" : ago ? "" : "now" }), made("span", { textContent: date.toLocaleDateString(week.dataset.week, { weekday: "short" }) })));
  }
  week.hidden = false;
}
for (const link of all("[data-today] a")) link.href = link.href.replace(/day=[\d-]+/, `day=${local(new Date())}`);
// Once today's number is finished, the home page shows the number with a link to its result.
for (const link of all("[data-seen]")) {
  const today = kept.get("today");
  if (!now || today?.day !== local(before(0)) || !ours(today.href)) continue;
  link.href = today.href;
  link.textContent = now.found ? link.dataset.seen.replace("{guesses}", now.guesses) : link.dataset.lost;
  all(".today .tile").forEach((tile, place) => { tile.textContent = today.code[place]; tile.classList.remove("down"); });
}
for (const how of all("[data-how]")) how.hidden = Object.keys(days).length > 0;

// The player's own mistakes are offered as puzzles until they are solved.
const mistakes = all("[data-mistake]"), asked = one("[data-puzzle]");
if (mistakes.length || asked) {
  const stored = record();
  for (const each of mistakes) stored.puzzles[each.dataset.mistake] ??= false;
  if (asked) {
    const { puzzle, solved } = asked.dataset, last = stored.last === location.href;
    if (puzzle in stored.puzzles) stored.puzzles[puzzle] ||= solved === "1";
    if (!last) stored.solved = [...stored.solved, solved === "1"].slice(-200);
    stored.last = location.href;
  }
  kept.set("record", stored);
}
const { puzzles, solved } = record(), open = Object.keys(puzzles).filter((href) => !puzzles[href] && ours(href));
const row = solved.length - 1 - solved.lastIndexOf(false);
for (const tag of all("[data-row]")) if (row > 0) says(tag, "row", { count: row });
for (const link of all("[data-mistakes]")) {
  if (!open.length) continue;
  link.href = open.find((href) => !location.href.endsWith(href)) ?? open[0];
  says(link, "mistakes", { count: open.length });
}
for (const item of all("[data-record]")) item.hidden = false;
for (const button of all("[data-export]")) button.addEventListener("click", () => {
  const file = new Blob([JSON.stringify(record())], { type: "application/json" });
  made("a", { href: URL.createObjectURL(file), download: "yomikiri-record.json" }).click();
});
// Import a valid file or none of it. Entries of this browser win, except that a puzzle solved in either is solved.
// Importing a file twice changes nothing.
const yes = (each) => typeof each === "boolean";
const day = (each) => yes(each.found) && Number.isInteger(each.guesses) && each.guesses >= 0 && each.guesses < 100 && yes(each.late ?? false);
const note = (each) => Object.values(each).every((state) => state === "out" || state === "sure");
const joined = (here, { days, puzzles, solved, notes = {} }) => {
  if (!Object.values(days).every(day) || ![...Object.values(puzzles), ...solved].every(yes) || !Object.values(notes).every(note)) throw new TypeError();
  const either = { ...puzzles };
  for (const [href, done] of Object.entries(here.puzzles)) either[href] ||= done;
  return { ...here, days: { ...days, ...here.days }, puzzles: either, solved: (solved.length > here.solved.length ? solved : here.solved).slice(-200), notes: last({ ...notes, ...here.notes }) };
};
for (const field of all("[data-import]")) field.addEventListener("change", async () => {
  const [file] = field.files, refused = one("[data-refused]");
  if (!file) return;
  try {
    kept.set("record", joined(record(), JSON.parse(await file.text())));
    location.reload();
  } catch { says(refused, "refused", { file: file.name }); }
  field.value = "";
});
for (const button of all("[data-delete]")) button.addEventListener("click", () => {
  kept.delete("record");
  kept.delete("game");
  for (const badge of all("[data-row], [data-mistakes]")) badge.hidden = true;
  button.textContent = button.dataset.done;
});

// --- screen readers do not announce a loaded page, but they announce a live region that is filled later
for (const news of all("[data-news]")) setTimeout(() => { news.textContent = news.dataset.news; }, 200);

// --- keys, if no field has the focus: "1" "0" is the answer 1H0B. Other digits, or digits after "g", open the form for
// another guess and fill it. Backspace undoes, arrows step through the game. The pages left with the left arrow are
// stored until the tab is closed. Keys are off in an editor, and if the player has switched them off.
const OFF = "keys-off";
let typed = "";
const answers = (text) => all("a[data-key]").some((link) => link.dataset.key.startsWith(text));
addEventListener("keydown", (event) => {
  const menu = one(".menu[open]");
  if (event.key === "Escape" && menu) { menu.open = false; one("summary", menu).focus(); }
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || kept.get(OFF) || one(".editor")) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const pad = all("form[data-pad]").find((form) => !form.closest("details:not([open])"));
  const undo = one("[data-key=Backspace]"), folded = one(".own form[data-pad]"), digit = /^[0-9]$/.test(event.key);
  if (event.key === "ArrowLeft" && undo) {
    sessionStorage.setItem(undo.href, location.href);
    undo.click();
  } else if (event.key === "ArrowRight") {
    const later = sessionStorage.getItem(location.href);
    if (later) location.assign(later);
  } else if (!pad && folded && (event.key === "g" || (digit && !answers(typed + event.key)))) {
    folded.closest("details").open = true;
    for (const digit of event.key === "g" ? "" : typed + event.key) all("[name=add]", folded).find((key) => key.value === digit)?.click();
    typed = "";
  } else if (pad && event.key === "Backspace" && pad.elements.guess.value) one("[name=erase]", pad).click();
  else if (event.key === "Backspace") undo?.click();
  else if (pad && event.key === "Enter" && pad.elements.guess.value && !event.target.closest("a, button, summary")) pad.requestSubmit();
  else if (pad) all("[name=add]", pad).find((key) => key.value === event.key)?.click();
  else if (digit) {
    typed = answers(typed + event.key) ? typed + event.key : event.key;
    one(`a[data-key="${typed}"]`)?.click();
  }
});
for (const box of all("[data-keys]")) {
  box.closest("[hidden]").hidden = false;
  box.checked = !kept.get(OFF);
  box.addEventListener("change", () => (box.checked ? kept.delete(OFF) : kept.set(OFF, 1)));
}

// --- rows that scroll show the chosen item at first; a tap elsewhere closes a menu
for (const row of all("[data-scroll]")) {
  const chosen = one("[aria-current]", row);
  if (chosen) row.scrollLeft += chosen.getBoundingClientRect().left - row.getBoundingClientRect().left - row.clientWidth / 2;
}
addEventListener("click", (event) => {
  for (const open of all(".menu[open], .keys details[open], .chips details[open]")) if (!open.contains(event.target)) open.open = false;
});

// --- a message after half a second of waiting; hidden again on a page from the history
const working = one(".working");
const waits = () => setTimeout(() => { working.hidden = false; }, 500);
let timer = 0;
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const leaves = link && link.href.split("#")[0] !== location.href.split("#")[0] && !link.hasAttribute("download");
  if (leaves && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey) timer = waits();
});
addEventListener("submit", () => { timer = waits(); });
addEventListener("pageshow", () => { clearTimeout(timer); working.hidden = true; });

// --- if a search ran out of time, load the page again and replace its parts, unless the guess has changed
const proposed = (page) => all(".proposal .tile", page).map((tile) => tile.textContent).join("");
const ask = async (times) => {
  if (!times || !one("[data-again]")) return;
  await new Promise((done) => setTimeout(done, 1500));
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  if (!one(".proposal", page) || proposed(page) !== proposed(document)) return;
  for (const part of [".proposal .tug", ".proposal .tag", ".proposal .note", "#why", "#use:not(:has([open]))"]) if (one(part, page)) one(part)?.replaceWith(one(part, page));
  if (one("[data-again]", page)) await ask(times - 1);
};
ask(3).catch(() => { /* keep the first result */ });

// --- a message when the network of the page is gone
for (const link of all("[data-keep]")) link.addEventListener("click", () => kept.set("file", link.dataset.keep));
for (const note of all("[data-kept]")) if (kept.get("file")) says(note, "kept", { game: kept.get("file") });
const offline = one("[data-offline]");
const worker = navigator.serviceWorker?.controller; // runs the program without a server
if (!worker && !/^(localhost|127\.|\[::1\])/.test(location.hostname)) {
  addEventListener("offline", () => { offline.hidden = false; });
  addEventListener("online", () => { offline.hidden = true; });
}

// --- copy buttons, if the browser allows pages to copy
for (const button of all("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.textContent = button.dataset.done;
  });
}

// --- sharing: the picture as a PNG with the streak, and the text with the link to the same number
const drawn = async (href) => {
  const picture = new Image();
  picture.src = `${href}&streak=${streak(days)}`;
  await picture.decode();
  const canvas = made("canvas", { width: 2 * picture.naturalWidth, height: 2 * picture.naturalHeight });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([png], "yomikiri.png", { type: "image/png" });
};
for (const link of all("[data-picture]")) link.addEventListener("click", async (event) => {
  event.preventDefault();
  made("a", { href: URL.createObjectURL(await drawn(link.href)), download: "yomikiri.png" }).click();
});
for (const button of all("[data-share]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const message = { text: document.getElementById("result").textContent.trim() };
    const files = await drawn(button.dataset.share).then((file) => [file], () => []);
    await navigator.share(files.length && navigator.canShare?.({ ...message, files }) ? { ...message, files } : message).catch(() => { /* the player changed their mind */ });
  });
}

// --- the browser ends a worker half a minute after its last request; a visible page keeps it alive
if (worker) setInterval(() => { if (!document.hidden) worker.postMessage("stay"); }, 15000);
