// Blocks of bytes as a notebook's widgets hold them: compressed, and those that several players share in a widget of
// their own.

const SHARED = "IPY_MODEL_"; // how a widget's state names another widget

/** @typedef {{content: ArrayBuffer | DataView, digest: string}} Shared */

/** @param {ArrayBuffer | DataView} data @returns {Promise<ArrayBuffer>} */
export async function inflate(data) {
  if (!data?.byteLength) return new ArrayBuffer(0);
  return new Response(
    new Blob([/** @type {BlobPart} */ (data)]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
}

// The widget that holds what players share, of which a trait of this one says the number.
/** @param {Widget<any>} widget @param {string} name @returns {Promise<Widget<Shared>>} */
export const sharedBy = (widget, name) =>
  widget.widget_manager.get_model(widget.get(name).slice(SHARED.length));

/** @param {Widget<any>} widget @param {string} name */
export const sharedBytes = async (widget, name) => inflate((await sharedBy(widget, name)).get("content"));
