// Hosts: Panel's JSComponent and anywidget both call render({model, el}); they differ in how a property is read.

function hostOf(model) {
  if (typeof model.save_changes === "function") { // anywidget
    return {
      get: (name) => model.get(name),
      set: (name, value) => { model.set(name, value); model.save_changes(); },
      on: (name, callback) => model.on(`change:${name}`, callback),
      send: (message) => model.send(message),
      removed: () => {},
    };
  }
  return {
    get: (name) => model[name],
    set: (name, value) => { model[name] = value; },
    on: (name, callback) => model.on(name, callback),
    send: (message) => model.send_msg(message),
    removed: (callback) => model.on("remove", callback),
  };
}

// Words for the server. What is said before the page is whole is lost, so it waits until the server says that it is
// (`live`); hosts without that property listen at once. `then` is called when the waiting ends.
function outbox(host, then) {
  const early = [];
  const live = () => host.get("live") !== false;
  host.on("live", () => {
    if (!live()) return;
    early.splice(0).forEach((message) => host.send(message));
    then?.();
  });
  return {live, send: (message) => { if (live()) host.send(message); else early.push(message); }};
}
