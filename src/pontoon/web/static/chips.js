// Chips as a small stack, the smaller ones on top (division-15 5.2). The amount always stands beside it in words.

import { drawing } from "./card.js";
const CHIPS = [
  [500_000, "#8a5a2b"], [100_000, "#d9902f"], [50_000, "#7b4bb0"], [10_000, "#20242b"], [2_500, "#1f8a4c"],
  [500, "#c0392f"], [250, "#d46a9f"], [100, "#e9e6dc"], [50, "#5b87b8"], [1, "#9aa4a0"],
];
const MOST = 6; // a taller stack says nothing more

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

/** @param {number} cents */
export function chipStack(cents) {
  const stack = stackOf(cents);
  const top = 21 - stack.length * 4; // the picture is as high as the stack
  const chips = stack.map((colour, at) => {
    const y = 25 - at * 4;
    return `<g fill="${colour}"><path d="M2 ${y}v4a13 6.5 0 0 0 26 0v-4Z" stroke="#0006"/><ellipse cx="15" cy="${y}" rx="13" ry="6.5" stroke="#fff9" stroke-width="1.5"/><ellipse cx="15" cy="${y}" rx="9.5" ry="4.6" fill="none" stroke="#fffc" stroke-width="1.6" stroke-dasharray="4 4"/></g>`;
  });
  return drawing(`<svg class="chips" viewBox="0 ${top} 30 ${37 - top}" aria-hidden="true">${chips.join("")}</svg>`);
}
