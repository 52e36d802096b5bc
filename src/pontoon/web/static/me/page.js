// The user's own page: sign in, create an account, keep a guest's name, sign out.
import { Door } from "../door.js";
import { make, routed } from "../parts.js";

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  const door = new Door(app);
  const own = routed("/players", "My statistics", { id: "my-statistics", hidden: true });
  const title = make("h1", {});
  const show = () => {
    const { me } = app.connection;
    title.textContent = me?.name ?? "Sign in";
    own.hidden = !me || me.guest;
    if (me) own.href = `/players/${encodeURIComponent(me.name)}`;
  };
  const links = [
    own,
    routed("/tables", "Tables"),
    routed("/train", "Train"),
    routed("/review", "Review my rounds"),
    routed("/players", "Leaderboard"),
    routed("/", "Play"),
  ];
  const words = "Play chips only: nothing here is worth money. An account keeps your name and your chips.";
  const page = make(
    "div",
    { class: "reading" },
    title,
    make("p", {}, words),
    door.element,
    make("div", { class: "row" }, ...links),
  );
  main.replaceChildren(page);
  document.title = "You · Pontoon";
  show();
  return { update: () => (door.update(), show()), close() {} };
}
