// The views of the player. views.json contains their names in addresses and their titles in menus, in their order on the
// page; each view registers its constructor when its file is loaded.

import titles from "../views.json" with {type: "json"};

/** @type {Map<string, (player: Player) => View>} */
const MAKERS = new Map();

/** @param {string} name @param {(player: Player) => View} make */
export function registerView(name, make) {
  if (!(name in titles)) throw new Error(`views.json has no title for the view ${name}`);
  if (MAKERS.has(name)) throw new Error(`two views are called ${name}`);
  MAKERS.set(name, make);
}

/** @returns {Record<string, string>} by name */
export const viewTitles = () => titles;

/** @param {Player} player  a new one of each view, by name */
export const makeViews = (player) =>
  Object.fromEntries(
    Object.keys(titles).map((name) => {
      const make = MAKERS.get(name);
      if (!make) throw new Error(`no file of views.js registers the view ${name}`);
      return [name, make(player)];
    }),
  );
