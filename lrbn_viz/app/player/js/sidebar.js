// What stands in the side bar, which on a phone is a dialog to which its library can give no name.

function nameDialog(node) {
  for (let at = node; at; at = at.parentNode || at.host) {
    if (at.getAttribute?.("role") === "dialog") at.setAttribute("aria-label", "Settings");
  }
}
