// The service worker: static files from the cache while the network is slow or away, everything else untouched.
// Nothing about the game is ever cached: not the API, not the socket, not a page of a table.
/** @type {any} */
const scope = globalThis;
const CACHE = "pontoon-static-1";
const OFFLINE = "/static/offline.html";
const FIRST = [OFFLINE, "/static/style.css", "/static/icons/icon.svg"];

scope.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FIRST)));
  scope.skipWaiting();
});

scope.addEventListener("activate", (event) => {
  const stale = (names) => names.filter((name) => name !== CACHE).map((name) => caches.delete(name));
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(stale(names)))
      .then(() => scope.clients.claim()),
  );
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(fresh(request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
});

/** The network's answer, stored; what was stored if there is no network. @param {Request} request */
async function fresh(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const stored = await cache.match(request);
    if (stored) return stored;
    throw error;
  }
}
