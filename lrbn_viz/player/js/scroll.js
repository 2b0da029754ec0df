// Scrolling that leaves the keyboard where it is. Of its own, as handed-out pages have no lesson and little room.

// Scroll whatever a node lies in until it is seen, and no further than needed unless it is to be in the middle. The
// browser's own scrollIntoView would have Tab go on from there: that is for what gets the focus.
/** @param {Element} node @param {{middle?: boolean, smooth?: boolean}} [how] */
export function bringIntoView(node, {middle = false, smooth = false} = {}) {
  let {top, bottom} = node.getBoundingClientRect();
  const page = document.scrollingElement;
  for (let at = around(node); at; at = around(at)) {
    const {overflowY, position} = getComputedStyle(at);
    if (at !== page && !/auto|scroll/.test(overflowY) && position !== "fixed") continue;
    const first = at === page ? 0 : at.getBoundingClientRect().top + at.clientTop;
    const above = top - first, below = bottom - first - at.clientHeight;
    // of a node that does not fit the nearer end is shown; if both ends are beyond, nothing moves
    const nearest = above * below > 0 ? (above > 0 ? Math.min(above, below) : Math.max(above, below)) : 0;
    const wanted = middle ? (above + below) / 2 : nearest;
    const by = Math.min(Math.max(wanted, -at.scrollTop), at.scrollHeight - at.clientHeight - at.scrollTop);
    if (by) at.scrollBy({top: by, behavior: smooth ? "smooth" : "instant"});
    if (position === "fixed") return;
    top = Math.max(top - by, first); // the rest is not seen, wherever the box itself stands
    bottom = Math.min(bottom - by, first + at.clientHeight);
  }
}
/** @param {Element} node @returns {Element | null} */
function around(node) {
  if (node.assignedSlot ?? node.parentElement) return node.assignedSlot ?? node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}
