// Sounds, synthesized in the page: no files. Loss and bust are silent; every cue has a visible twin.
import { isAsked, sumOf } from "./moment.js";

/** @type {AudioContext | undefined} */
let audio;

/** Browsers allow sound only after a press: make the context then. */
export function wake() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** One note. @param {number} pitch @param {number} at seconds from now @param {number} length @param {number} loud */
function note(pitch, at = 0, length = 0.12, loud = 0.07, shape = /** @type {OscillatorType} */ ("sine")) {
  if (!audio) return;
  const begin = audio.currentTime + at;
  const voice = audio.createOscillator();
  const gain = audio.createGain();
  voice.type = shape;
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(loud, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  voice.connect(gain).connect(audio.destination);
  voice.start(begin);
  voice.stop(begin + length + 0.02);
}

/** A short burst of noise through a filter: a card on felt, a chip on a chip. */
function tick(pitch, length, loud) {
  if (!audio) return;
  const samples = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, samples, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < samples; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / samples) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.2 });
  const gain = new GainNode(audio, { gain: loud });
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

const SOUNDS = {
  card: () => tick(1900, 0.05, 0.35),
  chip: () => {
    tick(4200, 0.03, 0.4);
    note(2400, 0, 0.05, 0.02, "triangle");
  },
  turn: () => {
    note(523, 0, 0.12, 0.05);
    note(659, 0.11, 0.16, 0.05);
  },
  win: () => [523, 659, 784].forEach((pitch) => note(pitch, 0, 0.4, 0.035)),
  bonus: () => [523, 659, 784, 1047].forEach((pitch, at) => note(pitch, at * 0.14, 0.35, 0.055, "triangle")),
  push: () => note(440, 0, 0.18, 0.04),
  knock: () => note(110, 0, 0.16, 0.12, "triangle"),
};

/** Five seconds are left: one low knock. */
export function knock() {
  wake();
  SOUNDS.knock();
}

/**
 * Play what belongs to a step.
 * @param {EventView[]} events
 * @param {TableModel} model
 * @param {boolean} wasAsked
 */
export function play(events, model, wasAsked) {
  wake();
  const types = new Set(events.map((one) => one.type));
  if (types.has("CardDealt")) SOUNDS.card();
  if (types.has("WagerPlaced") || types.has("SideWagerPlaced")) SOUNDS.chip();
  if (!wasAsked && isAsked(model) && model.room.waits !== "wagers") SOUNDS.turn();
  if (types.has("Settled")) result(model);
}

/** @param {TableModel} model */
function result({ view, me }) {
  const hands = (view.round?.boxes ?? []).flatMap((box) => box.hands ?? []);
  const own = hands.filter((hand) => hand.wagers.some((one) => one.player === me?.name && one.settled));
  const sum = own.flatMap((hand) => hand.wagers).filter((one) => one.player === me?.name);
  const all = sum.reduce((total, one) => total + sumOf(one.settled), 0);
  if (!own.length || all < 0) return;
  if (all === 0) SOUNDS.push();
  else if (own.some((hand) => hand.row)) SOUNDS.bonus();
  else SOUNDS.win();
}
