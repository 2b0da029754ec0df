// Loader of each player in a notebook: it finds the shared code, and loads it once per page.

import {inflate, sharedBy} from "./block.js";

/** @typedef {{default: {render(host: {model: Widget<any>, el: HTMLElement}): Promise<() => void>}}} Code */

/** @type {Map<string, Promise<Code>>} */
const loaded = (window.lrbnCode ??= new Map());

/** @param {Widget<any>} model @returns {Promise<Code>} */
async function codeOf(model) {
  const block = await sharedBy(model, "code"),
    digest = block.get("digest");
  const load = async () => {
    const address = URL.createObjectURL(
      new Blob([await inflate(block.get("content"))], {type: "text/javascript"}),
    );
    try {
      return await import(address);
    } finally {
      URL.revokeObjectURL(address);
    }
  };
  const code = loaded.get(digest) ?? load();
  loaded.set(digest, code);
  code.catch(() => loaded.delete(digest));
  return code;
}

/** @param {{model: Widget<any>, el: HTMLElement}} host */
async function render(host) {
  return (await codeOf(host.model)).default.render(host);
}

export default {render};
