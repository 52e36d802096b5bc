// Cards in an order: tap two cards and they change places, or type all of them.
import { cardName, cardPicture } from "../card.js";
import { field, make } from "../parts.js";

/**
 * The field `cards` of a ruling. A reconstruction begins with the cards of the round, anything else with none.
 * @param {any} command
 * @param {any} round
 */
export function cardsInput(command, round) {
  let cards = command.type === "Reconstruct" ? [...command.cards] : [];
  let picked = -1;
  const labels = command.way === "laid_again" ? places(round) : [];
  const row = make("div", { class: "order", role: "group", "aria-label": "Tap two cards: they change places" });
  const input = make("input", { required: true, maxlength: 400, value: cards.join(" "), autocomplete: "off" });
  const draw = () => row.replaceChildren(...cards.map((card, place) => key(card, place)));
  const key = (card, place) =>
    make(
      "button",
      {
        type: "button",
        class: "order-card",
        "data-place": place,
        "aria-pressed": String(picked === place),
        "aria-label": `${cardName(card)}, ${labels[place] ?? `card ${place + 1}`}`,
        onclick: () => tap(place),
      },
      make("span", { class: "one" }, cardPicture(card)),
      make("small", {}, labels[place] ?? String(place + 1)),
    );
  const tap = (place) => {
    if (picked >= 0) [cards[picked], cards[place]] = [cards[place], cards[picked]];
    picked = picked >= 0 ? -1 : place;
    input.value = cards.join(" ");
    draw();
    row.children[place]?.focus();
  };
  const typed = () => input.value.split(/[\s,]+/).filter(Boolean);
  input.addEventListener("input", () => ((cards = typed()), (picked = -1), draw()));
  draw();
  const hint = cards.length ? [make("p", { class: "quiet" }, "Tap two cards: they change places.")] : [];
  return {
    rows: [...hint, row, field(cards.length ? "Or type them in order" : "Cards in order, as in 7s Kd", input)],
    read: () => ({ cards: typed() }),
  };
}

/** Whose each card is, in the order in which hands are laid. @param {any} round */
function places(round) {
  const hands = (round?.boxes ?? []).flatMap((box) => (box.hands ?? []).map((one) => [`box ${box.number}`, one]));
  const dealer = round?.dealer ? [["dealer", round.dealer]] : [];
  return [...hands, ...dealer].flatMap(([words, one]) => one.cards.map(() => words));
}
