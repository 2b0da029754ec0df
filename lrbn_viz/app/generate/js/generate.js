// The Generate page, fed by the server: wire.py says what it sends.

import {decodeModels, unpack} from "../../../view/player/js/decode.js";
import {widthAround} from "../../../view/player/js/dom.js";
import {hostOf, outbox, together, withBlocks} from "../../../view/player/js/host.js";
import {GeneratePage} from "../../../view/generate/js/page.js";

/** @param {Rendered<{models: ArrayBuffer, passes: ArrayBuffer, walks: ArrayBuffer}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    STATES = ["cursor", "walked"];
  const {live, send, keep, left} = outbox(host, () => {
    const cursor = /** @type {{shown: number, step: number} | undefined} */ (left("cursor")); // cursor before a reload
    const walked = /** @type {{at: number} | undefined} */ (left("walked"));
    if (cursor && page.timeline) page.seek(page.timeline.find(cursor.shown, cursor.step));
    if (walked) page.walk.seek(walked.at / 1000, true);
    const speed = left("speed");
    if (typeof speed === "number") page.setSpeed(speed);
    if (left("playing")) page.clock.play();
  });
  /** @param {Message} message */
  const say = (message) => {
    if (STATES.includes(message.type)) keep(message.type, message, () => send(message));
    else send(message);
  };
  const page = new GeneratePage(el, say, live);
  const load = together(
    {
      models: (data) => {
        if (data.byteLength) return withBlocks(data, (...blocks) => page.setModels(decodeModels(...blocks)));
      },
      passes: (data) => {
        if (data.byteLength) page.setPasses(unpack(data));
      },
      walks: (data) => {
        if (data.byteLength) page.setWalks(unpack(data));
      },
    },
    host,
  );
  if (widthAround(el) < 600) send({type: "narrow"}); // on a phone the open menus would cover the lanes
  /** @param {CustomEvent<[string, unknown][]>} event */
  const leave = ({detail: states}) => {
    states.push(["playing", page.clock.playing], ["speed", page.clock.speed]);
  };
  window.addEventListener("lrbn-leave", leave);
  host.removed(() => {
    window.removeEventListener("lrbn-leave", leave);
    page.remove();
  });
  load();
  return () => page.remove();
}

export default {render};
