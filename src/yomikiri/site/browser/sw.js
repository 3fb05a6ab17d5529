// The worker answers every page of this folder with the Python application, which runs in it.
import { loadPyodide } from "./runtime/pyodide.mjs?@VERSION@";
import createModule from "./runtime/pyodide.asm.mjs?@VERSION@";

const VERSION = "@VERSION@"; // a digest of all files, so that each build has its own worker and its own files
const FILES = @FILES@; // the files to download once: the SHA-256 and the size of each
const LOCK = @LOCK@; // the metadata of the runtime
const BASE = new URL(".", self.location).pathname.slice(0, -1);
const OWN = `yomikiri ${BASE}/ `; // the prefix separates the files of two sites on one host
const MADE = `${BASE}/made-on-this-device`; // the stored memory of Python after its start
const STAY = "stay", BOOT = "boot";

// --- files ------------------------------------------------------------------------------------------------------------

const network = self.fetch.bind(self);
const cache = () => caches.open(OWN + VERSION);

async function digest(bytes) {
  const made = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...made].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Download a file, and store it only if it is complete and of this version.
async function fetched(name) {
  const answer = await network(`${BASE}/${name}`, { cache: "no-cache", referrerPolicy: "no-referrer" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  if ((await digest(bytes)) !== FILES[name].sha256) throw new Error(`${name}: damaged, or of another version`);
  const type = answer.headers.get("content-type") ?? "application/octet-stream";
  await (await cache()).put(`${BASE}/${name}`, new Response(bytes, { headers: { "content-type": type } }));
  return new Response(bytes, { headers: { "content-type": type } });
}

// Return a stored file. If the browser has deleted it, download it again.
const file = async (name) => (await (await cache()).match(`${BASE}/${name}`)) ?? fetched(name);

async function opened(name, type = "application/octet-stream") {
  const body = (await file(name)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "content-type": type } });
}

// The runtime requests files of the site. The larger ones are compressed.
self.fetch = async (asked, options) => {
  const url = new URL(asked.url ?? asked, self.location), name = url.pathname.slice(BASE.length + 1);
  if (url.origin === self.location.origin && name in FILES) return file(name);
  if (url.origin === self.location.origin && `${name}.pack` in FILES) {
    return opened(`${name}.pack`, name.endsWith(".wasm") ? "application/wasm" : undefined);
  }
  return network(asked, options);
};

// --- Python -----------------------------------------------------------------------------------------------------------

let booted;
const boot = () => (booted ??= start().catch((error) => { booted = undefined; throw error; }));

// Write the files in a pack so that Python can read them. A pack contains a length, a list of names and sizes of that
// length, and the contents.
function unpack(system, buffer, root) {
  const bytes = new Uint8Array(buffer), made = new Set();
  let at = 4 + new DataView(buffer).getUint32(0, true);
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)))) {
    const folder = `${root}/${name}`.replace(/\/[^/]*$/, "");
    if (!made.has(folder)) system.mkdirTree(folder);
    made.add(folder);
    system.writeFile(`${root}/${name}`, bytes.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}

// Return the stored memory, or undefined if it is missing or unreadable.
async function kept() {
  try {
    return await (await (await cache()).match(MADE))?.arrayBuffer();
  } catch {
    return undefined;
  }
}

async function start() {
  const packs = ["packs/app.pack", "packs/numpy.pack"].map(async (name) => (await opened(name)).arrayBuffer());
  const state = await kept();
  const python = await loadPyodide({
    indexURL: `${BASE}/runtime/`,
    stdLibURL: `${BASE}/runtime/python_stdlib.zip`,
    lockFileContents: { info: LOCK, packages: {} },
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    ...(state ? { _loadSnapshot: state } : { _makeSnapshot: true }),
    createPyodideModule: async (settings) => {
      const module = await createModule(settings);
      if (state) module.growMemory(state.byteLength & ~65535);
      return module;
    },
  });
  for (const pack of await Promise.all(packs)) unpack(python.FS, pack, "/lib/app");
  if (!state) {
    python.runPython("import sys; sys.path.insert(0, '/lib/app'); sys.dont_write_bytecode = True");
    python.runPython(`from yomikiri.site.bridge import answer, begin; begin('${self.location.origin}', '${BASE}')`);
    const made = python.makeMemorySnapshot();
    // If the browser has no room for the memory, the next start is only slower.
    cache().then((own) => own.put(MADE, new Response(made))).catch(() => {});
  }
  python.runPython("import random; random.seed()");
  return { python, answer: python.globals.get("answer"), asked: 0 };
}

// Load the modules of the next pages while the person reads the first one.
function ahead(python) {
  python.runPython(`from yomikiri.site.bridge import ahead; ahead('${self.location.origin}', '${BASE}')`);
}

// --- pages ------------------------------------------------------------------------------------------------------------

async function page(request, url) {
  let app;
  try {
    app = await boot();
  } catch (error) {
    console.error(error);
    return new Response((await file("index.html")).body, { status: 503, headers: SHELL }); // the shell explains the error
  }
  try {
    return answered(app, request, url);
  } catch (error) {
    console.error(error);
    booted = undefined; // Python may be unusable after an error, so the next page starts it again without stored memory
    await (await cache()).delete(MADE).catch(() => {});
    return new Response((await file("failed.html")).body, { status: 500, headers: SHELL });
  }
}
const SHELL = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };

function answered(app, request, url) {
  const path = url.pathname.slice(BASE.length).replace(/(.)\/$/, "$1");
  const languages = request.headers.get("accept-language") ?? navigator.languages.join(",");
  const found = app.answer(request.method, path, url.search.slice(1), languages, url.origin, BASE);
  const [status, lines, body] = found.toJs();
  found.destroy();
  app.asked += 1;
  if (app.asked === 1) setTimeout(() => ahead(app.python), 300);
  const headers = new Headers(lines);
  if (headers.has("location")) return Response.redirect(new URL(headers.get("location"), url), status);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url), name = url.pathname.slice(BASE.length + 1);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(`${BASE}/`)) return;
  if (name in FILES && name !== "index.html") event.respondWith(file(name));
  else event.respondWith(page(event.request, url));
});

// --- life cycle ---------------------------------------------------------------------------------------------------------

async function tell(message) {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true })) client.postMessage(message);
}

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const names = Object.keys(FILES), all = names.reduce((sum, name) => sum + FILES[name].size, 0);
  let done = 0;
  const ended = await Promise.allSettled(names.map(async (name) => {
    await fetched(name);
    done += FILES[name].size;
    await tell({ loaded: done / all });
  }));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
})().catch(async (error) => {
  await caches.delete(OWN + VERSION);
  await tell({ failed: String(error) });
  throw error;
})));

// The browser activates another version only when no page of this one is open.
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && name !== OWN + VERSION) await caches.delete(name);
  }
  await self.clients.claim();
})()));

self.addEventListener("message", (event) => {
  if (event.data === STAY) return; // any message keeps the worker alive
  if (event.data === BOOT) {
    event.waitUntil(boot().then(
      () => event.source.postMessage({ ready: true }),
      (error) => event.source.postMessage({ failed: String(error) }),
    ));
  }
});
