// The page's libraries, cut down to what its pages use: runs behind BokehJS, before its plugins and all else.
//
// A plugin of BokehJS is a table of modules, and one of them, its entry, asks for all others. Here the entry asks for
// those that these pages use; what nobody asks for is never run. And modules are imported by the browser itself,
// which compiles them while they arrive: the shim that Panel brings fetches, reads and rewrites each first.

// What is used of Panel's own plugin, by its names there; of other plugins what these ask for.
const USED = ["models/browser", "models/location", "models/reactive_esm", "models/react_component"];

const {Bokeh} = window,
  {register_plugin: register} = Bokeh;

/** @type {Window["Bokeh"]["register_plugin"]} */
Bokeh.register_plugin = (modules, entry, aliases = {}, externals = {}) => {
  const ours = `lrbn_viz/${entry}`;
  return register(
    {
      ...modules,
      [ours]: (require) => {
        for (const name of USED) if (name in aliases) require("@bokehjs/base").register_models(require(name));
      },
    },
    ours,
    aliases,
    externals,
  );
};

// Files that the page has under an address of its own, by the names that they have elsewhere.
/** @param {string} address */
function kept(address) {
  const name = address.split(/[?#]/)[0].split("/").pop();
  return (
    /** @type {HTMLLinkElement | null} */ (document.querySelector(`link[data-instead-of="${name}"]`))?.href ??
    address
  );
}

window.importShim = Object.assign(
  /** @param {string} address @returns {Promise<object>} */
  (address) => import(new URL(kept(address), document.baseURI).href),
  {addImportMap() {}}, // all that is imported here is whole
);
