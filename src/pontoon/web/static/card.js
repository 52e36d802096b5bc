// Cards and chips: how they are drawn, and how they move.

const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = {
  A: "ace",
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  J: "jack",
  Q: "queen",
  K: "king",
};

/** The name of a card for screen readers. @param {string} code "7s", "??" face down, "*" the joker */
export function cardName(code) {
  const rank = RANKS[code[0]];
  if (rank && SUITS[code[1]]) return `${rank} of ${SUITS[code[1]]}`;
  return code[0] === "?" ? "card face down" : "joker";
}

/** "7s" in a sentence becomes "7♠". @param {string} words */
export const withSuits = (words) =>
  words.replaceAll(/\b([A2-9JQK])([shdc])\b/g, (_, rank, suit) => rank + "♠♥♦♣"["shdc".indexOf(suit)] + "\uFE0E");

const BODY = '<path fill="currentColor" d="M0 88V68C0 53 13 47 30 47S60 53 60 68V88Z"/>';
const HEAD = '<circle cx="30" cy="34" r="14.5" fill="#fffdf6" stroke="currentColor" stroke-width="3"/>';
const GOLD = 'fill="#e8b93a" stroke="#6d5209" stroke-width="2" stroke-linejoin="round"';

// The king wears a crown with points, the queen one with pearls, the jack a cap with a feather.
const SHAPES = {
  s: `<path d="M50 4C55 22 93 42 93 65c0 13-10 20-20 20-8 0-15-4-19-12 1 11 5 18 13 24H33
    c8-6 12-13 13-24-4 8-11 12-19 12C17 85 7 78 7 65 7 42 45 22 50 4Z"/>`,
  h: `<path d="M50 93C20 64 6 50 6 31 6 17 17 7 29 7c10 0 17 6 21 15C54 13 61 7 71 7
    c12 0 23 10 23 24 0 19-14 33-44 62Z"/>`,
  d: `<path d="M50 3Q66 29 87 50 66 71 50 97 34 71 13 50 34 29 50 3Z"/>`,
  c: `<path d="M50 4a21 21 0 0 1 15 36 21 21 0 1 1 -11 33c1 11 5 18 13 24H33c8-6 12-13 13-24
    a21 21 0 1 1 -11-33A21 21 0 0 1 50 4Z"/>`,
  K: `${BODY}${HEAD}<path fill="currentColor" d="M18 38q12 6 24 0 0 22-12 26-12-4-12-26Z"/>
    <path ${GOLD} d="M13 23 9 3l12 9 9-12 9 12 12-9-4 20Z"/>`,
  Q: `<path fill="#e8b93a" d="M15 26c-10 10-8 24-5 32h40c3-8 5-22-5-32Z"/>${BODY}${HEAD}
    <path ${GOLD} d="M14 23 11 8q10 8 19-5 9 13 19 5l-3 15Z"/>
    <g ${GOLD}><circle cx="10" cy="6" r="4"/><circle cx="30" cy="2" r="4"/><circle cx="50" cy="6" r="4"/></g>`,
  J: `${BODY}${HEAD}<path ${GOLD} d="M42 10C48-2 56-6 62-6 62 4 56 14 46 16Z"/>
    <path fill="currentColor" d="M11 22C12 8 21 4 31 4S48 9 49 22Z"/>
    <rect x="10" y="19" width="40" height="6" rx="2" ${GOLD}/>`,
};

/** Put the shapes into the page, once. */
function shapes() {
  if (document.getElementById("card-s")) return;
  const symbols = Object.entries(SHAPES).map(([name, shape]) => {
    const view = "JQK".includes(name) ? "-4 -8 68 96" : "0 0 100 100";
    return `<symbol id="card-${name}" viewBox="${view}">${shape}</symbol>`;
  });
  document.body.append(drawing(`<svg class="visually-hidden" aria-hidden="true">${symbols.join("")}</svg>`));
}

/** An SVG from markup of our own, never from a user's words. @param {string} markup @returns {SVGSVGElement} */
export function drawing(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return /** @type {any} */ (holder.content.firstChild);
}

/** A sign of the header or a panel, drawn with lines; the shapes are in the page. @param {string} name */
export const sign = (name) => drawing(`<svg class="glyph" aria-hidden="true"><use href="#sign-${name}"/></svg>`);

const use = (name, x, y, width, height = width) =>
  `<use href="#card-${name}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;

function face(rank, suit) {
  const index = `<text class="index" x="24" y="47">${rank}</text>${use(suit, 8, 55, 32)}`;
  if ("JQK".includes(rank))
    return `${index}${use(rank, 40, 50, 57, 84)}${use(suit, 60, 111, 18).replace("/>", ' class="on"/>')}`;
  return index + (rank === "A" ? use(suit, 31, 69, 64) : use(suit, 42, 77, 52));
}

const BACK = `<rect class="back" x="8" y="8" width="84" height="124" rx="5"/>
  <path class="weave" d="M8 8 92 132M92 8 8 132M50 8 8 70 50 132 92 70ZM29 8 8 39 71 132M71 8 92 39 29 132
  M8 101 71 8M92 101 29 8"/>`;

/** The picture alone, hidden from screen readers. @param {string} code */
export function cardPicture(code) {
  shapes();
  const [rank, suit] = code;
  const inside =
    RANKS[rank] && SUITS[suit] ? face(rank, suit) : rank === "?" ? BACK : '<text class="index" x="50" y="90">*</text>';
  return drawing(`<svg class="face" viewBox="0 0 100 140" data-suit="${SUITS[suit] ? suit : ""}" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="98" height="138" rx="10"/>${inside}</svg>`);
}

/**
 * A card of a hand: a list item with a name.
 * @param {string} code
 * @param {boolean} [across] it lies sideways
 */
export function cardItem(code, across = false) {
  const item = document.createElement("li");
  item.className = across ? "card across" : "card";
  item.dataset.card = code;
  const name = document.createElement("span");
  name.className = "visually-hidden";
  name.textContent = cardName(code) + (across ? ", sideways" : "");
  item.append(cardPicture(code), name);
  return item;
}

// --- chips: a small stack with the smaller ones on top (division-15 5.2); the amount is always beside it in words ---

const CHIPS = [
  [500_000, "#8a5a2b"],
  [100_000, "#d9902f"],
  [50_000, "#7b4bb0"],
  [10_000, "#20242b"],
  [2_500, "#1f8a4c"],
  [500, "#c0392f"],
  [250, "#d46a9f"],
  [100, "#e9e6dc"],
  [50, "#5b87b8"],
  [1, "#9aa4a0"],
];
const MOST = 6; // a taller stack would show nothing more

/** The colours of the chips that make an amount, largest first. @param {number} cents */
function stackOf(cents) {
  const stack = [];
  let left = cents;
  for (const [worth, colour] of CHIPS) {
    while (left >= Number(worth) && stack.length < MOST) {
      stack.push(String(colour));
      left -= Number(worth);
    }
  }
  return stack;
}

/** A stack of chips for an amount. @param {number} cents */
export function chipStack(cents) {
  const stack = stackOf(cents);
  const top = 21 - stack.length * 4; // the picture is as high as the stack
  const chips = stack.map((colour, at) => {
    const y = 25 - at * 4;
    return `<g fill="${colour}"><path d="M2 ${y}v4a13 6.5 0 0 0 26 0v-4Z" stroke="#0006"/>
      <ellipse cx="15" cy="${y}" rx="13" ry="6.5" stroke="#fff9" stroke-width="1.5"/>
      <ellipse cx="15" cy="${y}" rx="9.5" ry="4.6" fill="none" stroke="#fffc" stroke-width="1.6"
      stroke-dasharray="4 4"/></g>`;
  });
  return drawing(`<svg class="chips" viewBox="0 ${top} 30 ${37 - top}" aria-hidden="true">${chips.join("")}</svg>`);
}

// --- movement ---

const FLIGHT = 280; // milliseconds from the shoe to a hand at the normal pace
const APART = 120; // between cards that come in one step

/** Whether the user wants no movement. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animate an element from another place to its own.
 * @param {Element} element
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} pace
 * @param {number} late how many cards go before it
 * @returns {number} milliseconds until it has arrived
 */
export function fly(element, from, to, pace, late = 0) {
  const [x, y] = [from.x - to.x + (from.width - to.width) / 2, from.y - to.y + (from.height - to.height) / 2];
  const start = `translate(${x}px, ${y}px) rotate(-24deg) scale(.86)`;
  element.animate(
    { transform: [start, "none"], opacity: [0, 1, 1] },
    { duration: FLIGHT * pace, delay: late * APART * pace, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" },
  );
  return (FLIGHT + late * APART) * pace;
}

/**
 * Show words only when the card that they are about has landed.
 * @param {Iterable<Element>} words
 * @param {number} after milliseconds until then
 */
export function hushed(words, after) {
  if (!after) return;
  for (const one of words)
    one.animate({ opacity: [0, 0, 1], offset: [0, 0.9, 1] }, { duration: after + 120, fill: "backwards" });
}

/**
 * Animate a copy of a drawing and remove it; a hidden drawing has no size and is not animated.
 * @param {HTMLElement} air what the copy moves over
 * @param {Element} original
 * @param {{from: DOMRect, to: DOMRect, pace: number, late?: number, wide?: number}} flight
 */
export function float(air, original, { from, to, pace, late = 0, wide = original.getBoundingClientRect().width }) {
  if (!wide || !from.width || !to.width) return;
  const ghost = /** @type {SVGElement} */ (original.cloneNode(true));
  const zero = air.getBoundingClientRect();
  const middle = (rect) => [rect.x + rect.width / 2 - zero.x, rect.y + rect.height / 2 - zero.y];
  const [start, end] = [from, to].map((rect) => {
    const [x, y] = middle(rect);
    return `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  });
  ghost.style.width = `${wide}px`;
  air.append(ghost);
  const flight = ghost.animate(
    { transform: [start, end], opacity: [1, 1, 0.2] },
    { duration: FLIGHT * 1.3 * pace, delay: late * APART * pace, easing: "ease-in-out", fill: "both" },
  );
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
