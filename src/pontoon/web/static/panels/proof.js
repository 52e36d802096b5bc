// The proof of a shoe, checked here and now: SHA-256 and HMAC by the browser, the bytes as docs/fairness.md writes them.
// Nothing of this is asked of the server.

const text = new TextEncoder();
const SUITS = "cdhs",
  RANKS = "A23456789JQK";
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const WORDS = 65536; // a word of the stream has 16 bits

/** Browsers lend their hashes only to pages that came over https or from this machine. */
export const possible = () => Boolean(globalThis.crypto?.subtle);

/** @param {...(Uint8Array|number[]|string)} parts @returns {Uint8Array} */
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

const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const two = (number) => [number >> 8, number & 255];
const eight = (number) => [0, 0, 0, 0, number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];

const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

async function hmac(secret) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (...parts) => new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(...parts)));
}

const leaf = (index, card, salt) => sha([0], two(index), card, salt);
const node = (left, right) => sha([1], left, right);

/** Whether the root binds this card to this place. @param {string} root @param {{index: number, size: number, card: string, salt: string, path: string[]}} proof */
export async function checkProof(root, proof) {
  let place = proof.index,
    width = proof.size,
    used = 0;
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

/** The order of a stack of so many cards that a key gives. */
async function permutation(sign, size) {
  const order = Array.from({ length: size }, (_, index) => index);
  let block = 0,
    words = [];
  const next = async () => {
    if (!words.length) {
      const bytes = await sign("shuffle", eight(block++));
      for (let at = 0; at < bytes.length; at += 2) words.push((bytes[at] << 8) | bytes[at + 1]);
    }
    return words.shift();
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
    if (row.length % 2) above.push(row[row.length - 1]);
    row = await Promise.all(above);
  }
  return hex(row[0]);
}

/** The shuffled stack, front first, and its root, made again from the seeds. */
export async function shuffled(record) {
  const players = await Promise.all(
    record.players.map(async (one) => joined(await sha(one.name), await sha(unhex(one.seed)))),
  );
  const seal = await hmac(unhex(record.seed));
  const key = await seal("pontoon shoe 1", await sha(record.shoe), [record.packs], two(players.length), ...players);
  const sign = await hmac(key);
  const cards = Array.from({ length: record.packs }, () => PACK).flat();
  const stack = (await permutation(sign, cards.length)).map((index) => cards[index]);
  return { stack, root: await rootOf(stack, sign) };
}

/** The places that were dealt follow each other from the cut on; burned ones are on record. */
function inOrder(record) {
  const size = record.packs * PACK.length,
    burned = new Set(record.burned);
  let place = 0;
  for (const proof of record.dealt) {
    while (burned.has(place)) place += 1;
    if (proof.size !== size || proof.index !== (place + (record.cut ?? 0)) % size) return false;
    place += 1;
  }
  return true;
}

/**
 * Every check that can be made of a shoe: name, true, false or null (not possible yet), and words.
 * @returns {Promise<{name: string, ok: boolean|null, words: string}[]>}
 */
export async function checkShoe(record) {
  const checks = [];
  const say = (name, ok, good, bad) => checks.push({ name, ok, words: ok === false ? bad : good });
  const opened = record.players.every((one) => one.seed !== null);
  const seals = await Promise.all(
    record.players.map(
      async (one) => one.seed === null || hex(await sha("pontoon seal 1", unhex(one.seed))) === one.seal,
    ),
  );
  if (record.players.length)
    say(
      "seals",
      seals.every(Boolean) ? (opened ? true : null) : false,
      "the players' seeds are those they sealed",
      "a player's seed is not the one that was sealed",
    );
  const proved = record.root === null ? [] : await Promise.all(record.dealt.map((one) => checkProof(record.root, one)));
  const bad = record.dealt.filter((_, index) => !proved[index]).map((one) => one.card);
  say(
    "proofs",
    record.root === null ? null : !bad.length,
    `each of ${proved.length} dealt cards is proved by the root`,
    `not proved by the root: ${bad.join(" ")}`,
  );
  say(
    "order",
    inOrder(record),
    "the cards came from the cut on without a gap",
    "the cards did not come one after the other",
  );
  if (record.seed === null) {
    say("shuffle", null, "the seed is secret until the shoe is over; then the whole shuffle is made again here");
    return checks;
  }
  say(
    "seed",
    hex(await sha(unhex(record.seed))) === record.seed_hash,
    "the seed is the one whose hash was published first",
    "the seed is not the one whose hash was published",
  );
  const again = opened ? await shuffled(record) : { root: "", stack: [] };
  say(
    "shuffle",
    again.root === record.root,
    "the seed gives this order of all cards, and this root",
    "the seed gives another order than the one that was dealt",
  );
  const same = record.dealt.every((one) => again.stack[one.index] === one.card);
  say(
    "cards",
    same,
    "every card that was dealt is where the shuffle put it",
    "a dealt card is not where the shuffle put it",
  );
  return checks;
}
