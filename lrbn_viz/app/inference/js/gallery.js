// The image picker as a component of the page.

import {setText} from "../../../view/player/js/dom.js";
import {Gallery} from "../../../view/player/js/gallery.js";
import {hostOf, outbox, together} from "../../../view/player/js/host.js";
import {nameDialog} from "../../shared/js/sidebar.js";

/** @param {Rendered<{images: ArrayBuffer, chosen: number, own: string, shown_class: number}>} rendered */
function render({model, el}) {
  const host = hostOf(model),
    {send} = outbox(host);
  const gallery = new Gallery(el, {
    choose: (index) => {
      gallery.mark(index);
      send({type: "choose", row: index});
    },
    narrow: (label) => send({type: "class", label}),
    more: () => send({type: "more"}),
  });
  nameDialog(el);
  together({images: () => gallery.load(model.images, model.shown_class, model.chosen)}, host)(); // the class changes together with its images
  const say = () => setText(gallery.own, model.own);
  say();
  model.on("own", say);
  model.on("chosen", () => gallery.mark(model.chosen));
  model.on("remove", () => gallery.remove());
}

export default {render};
