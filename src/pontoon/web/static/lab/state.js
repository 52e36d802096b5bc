// What a person has chosen in the lab, to and from an address: a link reopens exactly this.

export const USUAL = { rulebook: "", stake: 1000, pace: 60 };
const LARGEST_STAKE = 10_000_000;
const CHIP = 50; // cents: stakes are multiples of it
const MOST_ROUNDS = 1000;

/** @param {Lab.Value} one @param {Lab.Value} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A value as it stands in an address. @param {Lab.Value} value */
function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(",") : String(value);
}

/**
 * A value from an address, of the kind its rule has.
 * @param {string} text
 * @param {Lab.Rule} rule
 * @returns {Lab.Value}
 */
function read(text, rule) {
  if (typeof rule.value === "boolean") return text === "yes";
  if (typeof rule.value === "number") return Number(text);
  if (!Array.isArray(rule.value)) return text;
  const parts = text.split(",").filter(Boolean);
  const sample = rule.options.flatMap((option) => option.value)[0];
  return typeof sample === "number" ? parts.map(Number) : parts;
}

/** @param {string | null} text @param {number} most @param {number} usual */
function whole(text, most, usual) {
  const number = Number(text);
  return text && Number.isInteger(number) && number > 0 && number <= most ? number : usual;
}

/** The state in an address, its rules not read yet. @param {string} search @returns {Lab.State} */
export function stateOf(search) {
  const given = new URLSearchParams(search);
  const known = ["rules", "stake", "pace", "against"];
  return {
    rulebook: given.get("rules") ?? USUAL.rulebook,
    stake: Math.max(2, Math.round(whole(given.get("stake"), LARGEST_STAKE, USUAL.stake) / CHIP)) * CHIP,
    pace: whole(given.get("pace"), MOST_ROUNDS, USUAL.pace),
    against: given.get("against") ?? "",
    overrides: {},
    rest: [...given].filter(([key]) => !known.includes(key)),
  };
}

/**
 * The changed rules of an address; those that nobody knows are left out and named.
 * @param {[string, string][]} rest @param {Map<string, Lab.Rule>} rules
 */
export function overridesOf(rest, rules) {
  /** @type {Record<string, Lab.Value>} */
  const overrides = {};
  const unknown = [];
  for (const [key, text] of rest) {
    const rule = rules.get(key);
    if (rule) overrides[key] = read(text, rule);
    else unknown.push(key);
  }
  return { overrides, unknown };
}

/** The address of a state. @param {Lab.State} state */
export function addressOf(state) {
  const query = new URLSearchParams({ rules: state.rulebook });
  for (const [key, value] of Object.entries(state.overrides)) query.set(key, written(value));
  if (state.stake !== USUAL.stake) query.set("stake", String(state.stake));
  if (state.pace !== USUAL.pace) query.set("pace", String(state.pace));
  if (state.against) query.set("against", state.against);
  return `/lab?${query}`;
}

/** What the server is asked. @param {Lab.State} state */
export function questionOf({ rulebook, overrides, stake, against }) {
  return { rulebook, overrides, stake, ...(against ? { against: { rulebook: against } } : {}) };
}
