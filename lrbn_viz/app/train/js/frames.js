// Decoding of frames, whose format frames.py describes.

import {toBytes} from "../../../view/player/js/decode.js";

/** @param {Bytes} data @param {string[]} statuses @param {string[]} kinds */
export function readFrame(data, statuses, kinds) {
  const bytes = toBytes(data),
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Frame} */
  const frame = {
    number: view.getUint32(4, true),
    status: statuses[view.getUint8(8)],
    progress: view.getFloat32(12, true),
    left: view.getFloat32(16, true),
    savedAt: view.getFloat64(20, true),
    lanes: [],
    pieces: [],
  };
  let at = 28;
  for (let n = view.getUint8(9); n > 0; n--) {
    /** @type {FrameLane} */
    const lane = {
      step: view.getUint32(at, true),
      seconds: view.getFloat32(at + 4, true),
      rate: view.getFloat32(at + 8, true),
      history: [
        view.getUint32(at + 12, true),
        view.getUint32(at + 16, true),
        view.getUint32(at + 20, true),
        view.getFloat32(at + 24, true),
      ],
      values: [],
    };
    const count = view.getUint8(at + 28);
    at += 29;
    for (let i = 0; i < count; i++, at += 5)
      lane.values.push([view.getUint8(at), view.getFloat32(at + 1, true)]);
    frame.lanes.push(lane);
  }
  for (let n = view.getUint16(10, true); n > 0; n--) {
    const length = view.getUint16(at + 6, true);
    frame.pieces.push({
      kind: kinds[view.getUint8(at)],
      lane: view.getUint8(at + 1),
      index: view.getUint32(at + 2, true),
      content: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length;
  }
  return frame;
}
