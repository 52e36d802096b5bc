// The dialog that makes a tournament from its conditions; loaded when it is opened.
import { newKey } from "./connection.js";
import { button, dialog, field, make } from "./parts.js";

const HOUR = 3_600_000;

/** A template for the conditions: small, complete, ready to be changed. */
function beginning() {
  const at = new Date(Math.ceil(Date.now() / HOUR) * HOUR + HOUR - new Date().getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 19);
  return `name = "Friday Cup"
statement = "standard"

[start]
at = ${at}
entry = "on this page, until the director closes the entries"
eligibility = "everybody with a name at this server"

[game]
minimum = "10.00"
maximum = "500.00"

[players]
least = 3
most = 14
reserves = 2
at_table = 7

[money]
fee = "100.00"
commission = "10.00"
chips = "1000.00"

[structure]
format = "knock_out"
pace = 30

[[session]]
name = "Heats"
rounds = 10
advance = { of_all = 2 }

[[session]]
name = "Final"
rounds = 10

[ties]
session = "extra_rounds"
final = "divide"

[prizes]
shares = ["50%", "30%", "20%"]
`;
}

/** @param {App} app */
export function makeTournament(app) {
  const text = make("textarea", { id: "conditions", rows: 18, spellcheck: "false", required: true, maxlength: 30_000 });
  text.value = beginning();
  const file = make("input", { type: "file", id: "conditions-file", accept: ".toml,text/plain" });
  file.addEventListener("change", async () => file.files[0] && (text.value = await file.files[0].text()));
  const says = make("div", { role: "alert", class: "faults" });
  const key = newKey();
  const onsubmit = async (event) => {
    event.preventDefault();
    says.replaceChildren();
    try {
      const made = await app.connection.post("/api/tournaments", { conditions: text.value, key });
      box.close();
      app.go(made.link);
    } catch (problem) {
      const faults = (problem.faults ?? []).map((one) => make("li", {}, make("b", {}, one.clause), ` ${one.words}`));
      const words = `${faults.length === 1 ? "One thing" : `${faults.length} things`} must be corrected:`;
      says.replaceChildren(make("p", {}, faults.length ? words : problem.words));
      if (faults.length) says.append(make("ul", {}, ...faults));
    }
  };
  const form = make(
    "form",
    { class: "conditions", onsubmit },
    make("p", { class: "muted" }, "The written conditions of the tournament (rule 20.3), as TOML."),
    make("p", { class: "muted" }, "They are checked before the tournament is made. Nothing is published yet."),
    field("From a file", file),
    field("Conditions", text),
    says,
    make(
      "div",
      { class: "row" },
      make("button", { class: "button primary" }, "Make the tournament"),
      button("Cancel", () => box.close()),
    ),
  );
  const box = dialog("Make a tournament", form);
  box.classList.add("wide");
}
