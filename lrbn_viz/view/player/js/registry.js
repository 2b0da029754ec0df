// The views of the player: each registers itself, when its file is read, under the name by which it is hidden and that
// addresses hold, with the title that menus show. views.js says which files are read, and in what order they stand.

/** @type {Map<string, {title: string, make: (player: Player) => View}>} */
const VIEWS = new Map();

/** @param {string} name @param {string} title @param {(player: Player) => View} make */
export function registerView(name, title, make) {
  const other = VIEWS.get(name);
  if (other) throw new Error(`two views are called ${name}: ${other.title}, and ${title}`);
  VIEWS.set(name, {title, make});
}

export const viewTitles = () => Object.fromEntries(Array.from(VIEWS, ([name, {title}]) => [name, title]));

/** @param {Player} player  a new one of each view, by name */
export const makeViews = (player) =>
  Object.fromEntries(Array.from(VIEWS, ([name, {make}]) => [name, make(player)]));
