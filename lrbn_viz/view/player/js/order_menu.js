import {element} from "./dom.js";
import {UNIT_ORDERS} from "./orders.js";

// A menu of the orders; all menus of a player show the same choice.
/** @param {Player} player @param {string} label */
export function orderMenu(player, label) {
  const select = element(
    "select",
    {"aria-label": label, "data-part": "order", onchange: () => player.sort(select.value)},
    ...Object.entries(UNIT_ORDERS).map(([value, [text]]) => element("option", {value}, text)),
  );
  player.orderMenus.push(select);
  return select;
}
