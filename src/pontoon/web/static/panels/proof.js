// Checks the proofs of a shoe in the browser, without the server: SHA-256 and HMAC as in docs/fairness.md.

const text = new TextEncoder();
const SUITS = "cdhs";
const RANKS = "A23456789JQK";
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const WORDS = 65536; // a word of the stream has 16 bits

/** Browsers offer hashes only to pages loaded over https or from this machine. */
export const possible = () => Boolean(globalThis.crypto?.subtle);

/** @param {...(Uint8Array|number[]|string)} parts @returns {Uint8Array<ArrayBuffer>} */
function joined(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? text.encode(part) : part));
  const all = new Uint8Array(bytes.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of bytes) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

/** @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const two = (number) => [number >> 8, number & 255];
const eight = (number) => [0, 0, 0, 0, number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];

/** @param {...(Uint8Array|number[]|string)} parts */
export const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

async function hmac(secret) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (...parts) => new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(...parts)));
}

const leaf = (index, card, salt) => sha([0], two(index), card, salt);
const node = (left, right) => sha([1], left, right);

/** Whether the root proves this card at this place. @param {string} root @param {Proof} proof */
export async function checkProof(root, proof) {
  let [place, width, used] = [proof.index, proof.size, 0];
  if (!(place >= 0 && place < width)) return false;
  let at = await leaf(place, proof.card, unhex(proof.salt));
  while (width > 1) {
    if ((place ^ 1) < width) {
      if (used >= proof.path.length) return false;
      const other = unhex(proof.path[used++]);
      at = await (place % 2 ? node(other, at) : node(at, other));
    }
    place = place >> 1;
    width = (width + 1) >> 1;
  }
  return used === proof.path.length && hex(at) === root;
}

/**
 * The order of a stack of `size` cards, derived from a key.
 * @param {(...parts: any[]) => Promise<Uint8Array>} sign
 * @param {number} size
 */
async function permutation(sign, size) {
  const order = Array.from({ length: size }, (_, index) => index);
  /** @type {number[]} */
  const words = [];
  let block = 0;
  const next = async () => {
    if (!words.length) {
      const bytes = await sign("shuffle", eight(block++));
      for (let at = 0; at < bytes.length; at += 2) words.push((bytes[at] << 8) | bytes[at + 1]);
    }
    return words.shift() ?? 0;
  };
  for (let last = size - 1; last > 0; last -= 1) {
    let word = await next();
    while (word >= WORDS - (WORDS % (last + 1))) word = await next();
    const other = word % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

async function rootOf(stack, sign) {
  let row = await Promise.all(stack.map(async (card, index) => leaf(index, card, await sign("salt", two(index)))));
  while (row.length > 1) {
    const above = [];
    for (let at = 0; at + 1 < row.length; at += 2) above.push(node(row[at], row[at + 1]));
    above.push(...row.slice(row.length - (row.length % 2)));
    row = await Promise.all(above);
  }
  return hex(row[0]);
}

/** The shuffled stack, front first, and its root, rebuilt from the seeds. @param {ShoeRecord} record */
export async function shuffled(record) {
  const players = await Promise.all(
    record.players.map(async (one) => joined(await sha(one.name), await sha(unhex(one.seed ?? "")))),
  );
  const seal = await hmac(unhex(record.seed ?? ""));
  const key = await seal("pontoon shoe 1", await sha(record.shoe), [record.packs], two(players.length), ...players);
  const sign = await hmac(key);
  const cards = Array.from({ length: record.packs }, () => PACK).flat();
  const stack = (await permutation(sign, cards.length)).map((index) => cards[index]);
  return { stack, root: await rootOf(stack, sign) };
}

/** Whether the cards were dealt in order from the cut, burned cards left out. @param {ShoeRecord} record */
function inOrder(record) {
  const size = record.packs * PACK.length;
  const burned = new Set(record.burned);
  let place = 0;
  for (const proof of record.dealt) {
    while (burned.has(place)) place += 1;
    if (proof.size !== size || proof.index !== (place + (record.cut ?? 0)) % size) return false;
    place += 1;
  }
  return true;
}

/**
 * One check: true, false or null (not possible yet), and its words.
 * @typedef {{name: string, ok: boolean|null, words: string}} Check
 */

/** @param {string} name @param {boolean|null} ok @param {string} good @param {string} [bad] @returns {Check} */
const check = (name, ok, good, bad = "") => ({ name, ok, words: ok === false ? bad : good });

/** The players' seeds against their seals. @param {ShoeRecord} record @returns {Promise<Check>} */
async function checkSeals(record) {
  const seals = record.players.map(
    async ({ seed, seal }) => seed === null || hex(await sha("pontoon seal 1", unhex(seed))) === seal,
  );
  const all = (await Promise.all(seals)).every(Boolean);
  const opened = record.players.every((one) => one.seed !== null);
  const good = "the players' seeds match their seals";
  return check("seals", all ? opened || null : false, good, "a player's seed does not match its seal");
}

/** Every dealt card against the root. @param {ShoeRecord} record @returns {Promise<Check>} */
async function checkCards({ root, dealt }) {
  const proved = root === null ? [] : await Promise.all(dealt.map((one) => checkProof(root, one)));
  const bad = dealt.filter((_, index) => !proved[index]).map((one) => one.card);
  const good = `the root proves each of ${proved.length} dealt cards`;
  return check("proofs", root === null ? null : !bad.length, good, `not proved by the root: ${bad.join(" ")}`);
}

/** The whole shuffle, rebuilt from the published seed. @param {ShoeRecord} record @returns {Promise<Check[]>} */
async function checkShuffle(record) {
  const opened = record.players.every((one) => one.seed !== null);
  const same = hex(await sha(unhex(record.seed ?? ""))) === record.seed_hash;
  const rebuilt = opened ? await shuffled(record) : { root: "", stack: [] };
  const placed = record.dealt.every((one) => rebuilt.stack[one.index] === one.card);
  return [
    check("seed", same, "the seed matches the hash published first", "the seed does not match the published hash"),
    check(
      "shuffle",
      rebuilt.root === record.root,
      "the seed gives this order of all cards, and this root",
      "the seed gives another order than the one that was dealt",
    ),
    check(
      "cards",
      placed,
      "every dealt card is where the shuffle put it",
      "a dealt card is not where the shuffle put it",
    ),
  ];
}

/** Every check that can be made of a shoe. @param {ShoeRecord} record @returns {Promise<Check[]>} */
export async function checkShoe(record) {
  const order = check(
    "order",
    inOrder(record),
    "the cards were dealt from the cut without a gap",
    "the cards were not dealt in order",
  );
  const secret = "the seed is secret until the shoe is over; then the whole shuffle is rebuilt here";
  return [
    ...(record.players.length ? [await checkSeals(record)] : []),
    await checkCards(record),
    order,
    ...(record.seed === null ? [check("shuffle", null, secret)] : await checkShuffle(record)),
  ];
}
