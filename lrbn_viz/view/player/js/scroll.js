// Scrolling that leaves the keyboard where it is.

// Scroll whatever a node lies in until the node is seen, and no further. After the browser's own scrollIntoView, Tab may
// go on from that node: use that only for what gets the focus.
/** @param {Element} node */
export function bringIntoView(node) {
  let {top, bottom} = node.getBoundingClientRect();
  const page = document.scrollingElement;
  for (let at = around(node); at; at = around(at)) {
    if (at !== page && !/auto|scroll/.test(getComputedStyle(at).overflowY)) continue;
    const first = at === page ? 0 : at.getBoundingClientRect().top + at.clientTop;
    const above = top - first,
      below = bottom - first - at.clientHeight;
    // of a node that does not fit, the nearer end is shown; if both ends are beyond, nothing moves
    const wanted = above * below > 0 ? (above > 0 ? Math.min(above, below) : Math.max(above, below)) : 0;
    const by = Math.min(Math.max(wanted, -at.scrollTop), at.scrollHeight - at.clientHeight - at.scrollTop);
    if (by) at.scrollBy({top: by, behavior: "instant"});
    top = Math.max(top - by, first); // only what this box shows can be seen further out
    bottom = Math.min(bottom - by, first + at.clientHeight);
  }
}

/** @param {Element} node @returns {Element | null} */
function around(node) {
  if (node.assignedSlot ?? node.parentElement) return node.assignedSlot ?? node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
