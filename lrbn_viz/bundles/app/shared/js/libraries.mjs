// b92e31170731188d2e553c5c46eaf6c0d0632374e007c90e04ed6da8aa5cebb3
"use strict";
(() => {
  var USED = ["models/browser", "models/location", "models/reactive_esm", "models/react_component"];
  var { Bokeh } = window;
  var { register_plugin: register } = Bokeh;
  Bokeh.register_plugin = (modules, entry, aliases = {}, externals = {}) => {
    const ours = `lrbn_viz/${entry}`;
    return register({ ...modules, [ours]: (require2) => {
      for (const name of USED) if (name in aliases) require2("@bokehjs/base").register_models(require2(name));
    } }, ours, aliases, externals);
  };
  function kept(address) {
    const name = address.split(/[?#]/)[0].split("/").pop();
    return document.querySelector(`link[data-instead-of="${name}"]`)?.href ?? address;
  }
  window.importShim = Object.assign((address) => import(new URL(kept(address), document.baseURI).href), { addImportMap() {
  } });
})();
