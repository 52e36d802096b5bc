// A few quiet sounds made here and now; off unless somebody switches them on.

const TONES = { CardDealt: [520, 0.03], WagerPlaced: [330, 0.05], Settled: [660, 0.08], NoMoreBetsCalled: [260, 0.1] };
let audio;

/** The last event that has a sound is heard: one step, one sound. */
export function play(events) {
  const tone = events
    .map((one) => TONES[one.type])
    .filter(Boolean)
    .at(-1);
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
