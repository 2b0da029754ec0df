// d6fc9572e0a62f9039cb8c0fbd52c975c13454de9cae950424ac648440efdce4
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
