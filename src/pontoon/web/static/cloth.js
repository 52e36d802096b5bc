// The furniture of a table: inscriptions, sign, shoe and rack. Every text and number comes with the view.
import { counted, dollars, make, refill } from "./parts.js";

/** An element with a class. @param {string} tag @param {string} name @param {...any} children */
export const of = (tag, name, ...children) => make(tag, { class: name }, ...children);

/** Words for screen readers alone. @param {string} words */
export const hush = (words) => of("span", "visually-hidden", words);

/** Where each inscription is printed: the height of its arc, in the picture's units. */
const HEIGHTS = [254, 286, 335];
const RULED = [312, 344]; // the two lines around the last inscription

/** The arcs sag, so that the letters stand upright for the players. @param {number} y */
const arc = (y) => `d="M120 ${y - 104}A1340 1340 0 0 0 1160 ${y - 104}"`;

/**
 * The inscriptions, once as a list for screen readers and small screens, once along arcs.
 * @param {HTMLElement} list
 * @param {HTMLElement} picture
 * @param {InscriptionView[]} lines
 */
export function drawInscriptions(list, picture, lines) {
  refill(list, ...lines.map(({ name, text }) => of("li", `printed-${name}`, text)));
  const paths = lines.slice(0, HEIGHTS.length).map(({ name }, at) => {
    const path = `<path id="arc-${at}" ${arc(HEIGHTS[at])} fill="none"/>`;
    return `${path}<text class="on-${name}"><textPath href="#arc-${at}" startOffset="50%"/></text>`;
  });
  const ruled = RULED.map((y) => `<path class="line" ${arc(y)}/>`);
  picture.innerHTML = `<svg viewBox="0 0 1280 360">${ruled.join("")}${paths.join("")}</svg>`;
  picture.querySelectorAll("textPath").forEach((path, at) => (path.textContent = lines[at].text));
}

/** "Wagers $5 to $500, $1,000 a box, in steps of $5". @param {LimitsView} limits */
export function limitWords({ minimum = 0, maximum = 0, box_maximum: box = 0, increment = 0, for_box: all = false }) {
  const range = maximum ? `${dollars(minimum)} to ${dollars(maximum)}` : `from ${dollars(minimum)}`;
  const most = box ? `, ${dollars(box)} a box` : all && maximum ? " a box" : "";
  return `Wagers ${range}${most}${increment ? `, in steps of ${dollars(increment)}` : ""}`;
}

/** @param {TableView} view @param {RoomView} room */
function signFacts(view, { heat }) {
  const round = `round ${heat ? heat.round : (view.number ?? 0)}`;
  const facts = heat
    ? [heat.extra ? "extra rounds" : `table ${heat.table}`, `${round}${heat.rounds ? ` of ${heat.rounds}` : ""}`]
    : [counted(view.packs, "pack"), round, `shoe ${view.shoe.number ?? 0}`];
  if (view.closing) facts.push(view.rounds_left ? `last ${counted(view.rounds_left, "round")}` : "closing");
  return facts.join(" · ");
}

/** @param {HTMLElement} place @param {TableView} view @param {RoomView} room */
export function drawSign(place, view, room) {
  refill(
    place,
    of("h2", "", room.heat ? room.heat.name : view.cloth.title),
    of("p", "limits", limitWords(view.limits)),
    of("p", "facts", signFacts(view, room)),
    ...(view.notices ?? []).map((notice) => of("p", "notice", notice)),
    room.lesson && of("p", "lesson", `cards set up by ${room.made_by}`),
  );
}

/** Hands that pay more, as a card on the table. @param {HTMLElement} place @param {OddsView[]} [rows] */
export function drawBonus(place, rows = []) {
  const row = ({ title, odds }) => of("div", "", of("dt", "", title), of("dd", "", odds));
  refill(place, rows.length && of("h3", "", "Bonus hands"), rows.length && make("dl", {}, ...rows.map(row)));
}

const DEVICES = { continuous: "Shuffler: ", shuffling_shoe: "Shuffling shoe: " };

/**
 * The shoe from the side: how full it is, and where the cutting card is.
 * @param {HTMLElement} place
 * @param {TableView} view
 */
export function drawShoe(place, { shoe, cloth, device }) {
  const { left = 0, behind = 0, cutting_card: cutting, came = "" } = shoe;
  const wide = 66 / cloth.cards;
  const x = 8 + behind * wide;
  const card = cutting === "in" ? `<rect class="cutting" x="${x}" y="12" width="4" height="31" rx="1"/>` : "";
  place.innerHTML = `<svg viewBox="0 0 100 54" aria-hidden="true">
    <path class="case" d="M4 48V14Q4 8 10 8H74L96 36V48Z"/>
    <rect class="stock" x="8" y="15" width="${left * wide}" height="25"/>${card}
    <path class="mouth" d="M77 46V28L91 39V46Z"/></svg>`;
  place.append(of("p", "", hush(DEVICES[device] ?? "Shoe: "), of("b", "", String(left)), " cards left"));
  if (cutting === "in") place.append(hush(`The cutting card is in, with ${counted(behind, "card")} behind it`));
  const where = came && `: ${Number(came) ? `box ${came}` : came}`;
  if (cutting === "came") place.append(of("p", "came", `cutting card${where}`));
}

/** @param {HTMLElement} place @param {number} count */
export function drawRack(place, count) {
  const full = Math.min(32, Math.ceil(count / 10));
  place.innerHTML = `<svg viewBox="0 0 100 54" aria-hidden="true">
    <rect class="stock" x="20" y="${45 - full}" width="60" height="${full}"/>
    <path class="case" d="M14 6V48H86V6"/></svg>`;
  place.append(of("p", "", of("b", "", String(count)), count === 1 ? " discard" : " discards"));
}

/**
 * Where a box lies around the table as seen from the box at the centre, where play goes clockwise: which side (1 is
 * the right), and the place on that side, from 0 next to the centre. Each side has half of the boxes, however many
 * are taken, so that nobody moves when somebody sits down.
 * @param {number} box
 * @param {number} centre
 * @param {number} count of boxes at the table
 * @returns {{side: number, place: number, places: number}}
 */
export function onArc(box, centre, count) {
  const after = (box - centre + count) % count;
  const left = Math.ceil((count - 1) / 2);
  if (!after) return { side: 0, place: 0, places: 1 };
  if (after <= left) return { side: -1, place: after - 1, places: left };
  return { side: 1, place: count - after - 1, places: count - 1 - left };
}

/**
 * The empty box nearest to the middle; 0 if there is none.
 * @param {{box: number, item: HTMLElement}[]} seats
 * @param {number} middle
 */
export function freeNear(seats, middle) {
  const empty = seats.filter(({ item }) => item.classList.contains("empty")).map(({ box }) => box);
  return empty.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? 0;
}
