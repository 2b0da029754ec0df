// The training board of the Train page, fed by the server: blocks.py and frames.py say what it sends.

import {toBytes, unpack} from "../../../view/player/js/decode.js";
import {widthAround} from "../../../view/player/js/dom.js";
import {hostOf, outbox} from "../../../view/player/js/host.js";
import {TrainBoard} from "../../../view/board/js/board.js";
import {readFrame} from "./frames.js";
import constants from "../../../io/constants.json" with {type: "json"};

/** @param {TrainBoard} board @param {Bytes} data */
function receive(board, data) {
  const bytes = toBytes(data);
  if (new TextDecoder().decode(bytes.subarray(0, 4)) !== constants.frame) board.show(unpack(bytes));
  else if (board.meta)
    board.take(readFrame(bytes, board.meta.statuses, constants.frame_pieces), bytes.length);
}

/** @param {Rendered<object>} rendered */
function render({model, el}) {
  const {
    send,
    left,
    open: asks,
  } = outbox(hostOf(model), () => {
    board.taken = left("run");
  });
  const board = new TrainBoard(el, send, asks);
  /** @param {WindowEventMap["lrbn-connection"]} event */
  const follow = ({detail: {open, since}}) => {
    board.lose(open ? null : since);
    if (open) send({type: "open"}); // frames may have been lost
  };
  /** @param {WindowEventMap["lrbn-leave"]} event */
  const leave = ({detail: states}) => {
    if (board.status === "running" && board.meta) states.push(["run", board.meta.name]);
  };
  const sight = () => send({type: "sight", on: document.visibilityState === "visible"}); // a hidden board gets no pictures
  document.addEventListener("visibilitychange", sight);
  window.addEventListener("lrbn-connection", follow);
  window.addEventListener("lrbn-leave", leave);
  model.on("msg:custom", (data) => receive(board, data));
  model.on("remove", () => {
    document.removeEventListener("visibilitychange", sight);
    window.removeEventListener("lrbn-connection", follow);
    window.removeEventListener("lrbn-leave", leave);
    board.remove();
  });
  send({type: "open"});
  if (document.visibilityState !== "visible") sight();
  if (widthAround(el) < 600) send({type: "narrow"}); // the open form would cover the board
}

export default {render};
