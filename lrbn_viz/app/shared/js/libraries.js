// Reduction of the page's libraries to the parts in use: runs after BokehJS, before its plugins and all else.
//
// A plugin of BokehJS is a table of modules whose entry module requires all others. Here the entry requires those that
// these pages use; the others never run. The browser imports modules natively, and compiles them while they arrive;
// Panel's shim would fetch and rewrite each first.

// Modules of Panel's plugin in use, by their names; of other plugins those that these require.
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

// Addresses of files on this server, by their original names.
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
  {addImportMap() {}}, // imported files need no import map
);
