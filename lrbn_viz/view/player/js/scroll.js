// Scrolling without effect on the Tab order.

// Scroll all containers of a node as far as necessary to show it. After the browser's scrollIntoView, Tab may continue from
// that node: use it only for a node that gets the focus.
/** @param {Element} node */
export function bringIntoView(node) {
  let {top, bottom} = node.getBoundingClientRect();
  const page = document.scrollingElement;
  for (let at = around(node); at; at = around(at)) {
    if (at !== page && !/auto|scroll/.test(getComputedStyle(at).overflowY)) continue;
    const first = at === page ? 0 : at.getBoundingClientRect().top + at.clientTop;
    const above = top - first,
      below = bottom - first - at.clientHeight;
    // of a node that does not fit the nearer end is shown; if it fills the box, nothing moves
    const wanted = above * below > 0 ? (above > 0 ? Math.min(above, below) : Math.max(above, below)) : 0;
    const by = Math.min(Math.max(wanted, -at.scrollTop), at.scrollHeight - at.clientHeight - at.scrollTop);
    if (by) at.scrollBy({top: by, behavior: "instant"});
    top = Math.max(top - by, first); // outer boxes can only show what this box shows
    bottom = Math.min(bottom - by, first + at.clientHeight);
  }
}

/** @param {Element} node @returns {Element | null} */
function around(node) {
  if (node.assignedSlot ?? node.parentElement) return node.assignedSlot ?? node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
