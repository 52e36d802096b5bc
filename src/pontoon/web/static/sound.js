// A few quiet sounds, synthesized in the page; off by default.

const TONES = { CardDealt: [520, 0.03], WagerPlaced: [330, 0.05], Settled: [660, 0.08], NoMoreBetsCalled: [260, 0.1] };
let audio;

/** Play the sound of the last event that has one. @param {EventView[]} events */
export function play(events) {
  const tone = TONES[events.findLast((one) => TONES[one.type])?.type ?? ""];
  if (!tone) return;
  audio ??= new AudioContext();
  const [pitch, length] = tone;
  const voice = audio.createOscillator();
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0.06, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + length);
  voice.frequency.value = pitch;
  voice.connect(loudness).connect(audio.destination);
  voice.start();
  voice.stop(audio.currentTime + length);
}
