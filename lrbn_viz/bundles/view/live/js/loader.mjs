// bb8ac7edbe628544ee25f60656f234b828ccfb67681c3373e76c1d67072c44b7
var SHARED = "IPY_MODEL_";
async function inflate(data) {
  if (!data?.byteLength) return new ArrayBuffer(0);
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
var sharedBy = (widget, name) => widget.widget_manager.get_model(widget.get(name).slice(SHARED.length));
var loaded = window.lrbnCode ??= /* @__PURE__ */ new Map();
async function codeOf(model) {
  const block = await sharedBy(model, "code"), digest = block.get("digest");
  const load = async () => {
    const address = URL.createObjectURL(new Blob([await inflate(block.get("content"))], { type: "text/javascript" }));
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
async function render(host) {
  return (await codeOf(host.model)).default.render(host);
}
var loader_default = { render };
export { loader_default as default };
