// The pages as links in the header: a plain click changes the page in place, any other opens the address.

const NAV_STYLE = `
.lv-nav { display: flex; gap: .15em; margin-left: .75em; font-family: ${FONT}; font-size: .875rem; }
.lv-nav a { color: #c3ccd6; text-decoration: none; padding: .45em .8em; border-radius: .5em; white-space: nowrap; }
.lv-nav a:hover { background: rgb(255 255 255 / .09); color: #fff; }
.lv-nav a[aria-current] { color: #fff; font-weight: 650; box-shadow: inset 0 -2px #ffc53d; border-radius: .5em .5em 0 0; }
.lv-nav a:focus-visible { outline: 2px solid #8ecbff; outline-offset: -2px; }
@media (max-width: 600px) { .lv-nav { gap: 0; margin-left: .5em; font-size: .8125rem; } .lv-nav a { padding: .45em .35em; } }
`;

function render({model, el}) {
  const {send} = outbox(hostOf(model));
  const go = (event, name) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // the browser's own: another tab
    event.preventDefault();
    if (name !== model.page) send({type: "go", page: name});
  };
  const root = element("nav", {class: "lv-nav", "aria-label": "Pages"});
  const fill = () => {
    const focused = root.querySelector(":focus") !== null;
    root.replaceChildren(...model.pages.map(([name, title]) => element("a", {
      href: `?page=${name}`, "aria-current": name === model.page ? "page" : null, onclick: (event) => go(event, name),
    }, title)));
    if (focused) root.querySelector("[aria-current]").focus();
  };
  fill();
  el.append(element("style", {}, NAV_STYLE), root);
  model.on("page", fill);
  if (window.innerWidth > 1920) send({type: "wide", width: window.innerWidth}); // letters grow there, and what holds them
}

export default {render};
