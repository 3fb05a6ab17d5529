// The shell: download the program, show the progress, then go to the requested page.
"use strict";
const base = new URL(".", document.currentScript.src), bar = document.querySelector("progress");
const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
document.documentElement.lang = asked.startsWith("ja") ? "ja" : "en";

function say(what, why = "") {
  for (const part of document.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== what;
  bar.hidden = what !== "loading";
  document.getElementById("why").textContent = why;
}

async function begin() {
  say("loading");
  const workers = navigator.serviceWorker;
  if (!workers) return say("unable");
  let failed = "";
  const ready = new Promise((done, refused) => {
    workers.addEventListener("message", ({ data }) => {
      if (data.loaded) bar.value = data.loaded;
      if (data.ready) done();
      if (data.failed) refused(new Error((failed = data.failed)));
    });
  });
  workers.startMessages();
  try {
    const settings = { type: "module", scope: base.pathname, updateViaCache: "none" };
    const registration = await workers.register(new URL("sw.js", base), settings);
    await Promise.race([workers.ready, ready]);
    bar.removeAttribute("value");
    registration.active.postMessage("boot");
    await ready;
    if (!workers.controller) await new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
    const here = new URL(location);
    here.pathname = here.pathname.replace(/(index)?\.html$/, "");
    here.pathname === location.pathname ? location.reload() : location.replace(here);
  } catch (error) {
    say(failed ? "failed" : "unable", failed || String(error));
  }
}

document.getElementById("again").addEventListener("click", begin);
begin();
