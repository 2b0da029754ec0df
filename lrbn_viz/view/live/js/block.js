// Blocks of bytes in a notebook's widgets: compressed; a separate widget holds those that several players share.

const SHARED = "IPY_MODEL_"; // prefix of a reference to another widget in a widget's state

/** @typedef {{content: ArrayBuffer | DataView, digest: string}} Shared */

/** @param {ArrayBuffer | DataView} data @returns {Promise<ArrayBuffer>} */
export async function inflate(data) {
  if (!data?.byteLength) return new ArrayBuffer(0);
  return new Response(
    new Blob([/** @type {BlobPart} */ (data)]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
}

// The widget with the shared blocks, which a trait of this widget refers to.
/** @param {Widget<any>} widget @param {string} name @returns {Promise<Widget<Shared>>} */
export const sharedBy = (widget, name) =>
  widget.widget_manager.get_model(widget.get(name).slice(SHARED.length));

/** @param {Widget<any>} widget @param {string} name */
export const sharedBytes = async (widget, name) => inflate((await sharedBy(widget, name)).get("content"));
