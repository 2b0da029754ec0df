// Upload of a file in pieces, each sent after the one before was received. transfer.py is the server side.

import constants from "../../../io/constants.json" with {type: "json"};

const PIECE_TIMEOUT_MS = 30000; // ms without an answer, after which a piece is sent again

export class FileSender {
  number = 0; // of the newest file, repeated in the server's answers
  sent = -1; // position of the newest piece
  /** @type {File | null} */ file = null;
  /** @type {Timer | undefined} */ waiting;

  // `failed` is called with the file when it can no longer be read.
  /** @param {Send} send @param {(file: File) => void} failed */
  constructor(send, failed) {
    this.send = send;
    this.failed = failed;
  }

  // Announce a file, which replaces any earlier one; `words` are part of the message.
  /** @param {File} file */
  begin(file, words = {}) {
    this.stop();
    this.file = file;
    this.number += 1;
    this.send({type: "begin", name: file.name, size: file.size, number: this.number, ...words});
  }

  // Whether an answer is about the newest file; answers about earlier files may come late.
  /** @param {number} number */
  concerns(number) {
    return !this.number || number === this.number;
  }

  // The server has `received` bytes: send the next piece, once.
  /** @param {number} received */
  async next(received) {
    const {file} = this;
    if (!file || received <= this.sent || received >= file.size) return;
    this.sent = received;
    let bytes;
    try {
      bytes = new Uint8Array(await file.slice(received, received + constants.piece_bytes).arrayBuffer());
    } catch {
      if (this.file === file) {
        this.stop();
        this.failed(file);
      }
      return;
    }
    if (this.file !== file) return;
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768)
      text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    this.send({type: "piece", at: received, bytes: btoa(text)});
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.again(received), PIECE_TIMEOUT_MS);
  }

  // Send the same piece again if the server has not received it: it may have been lost with the connection.
  /** @param {number} received */
  again(received) {
    if (this.sent !== received) return;
    this.sent = received - 1;
    this.next(received);
  }

  stop() {
    clearTimeout(this.waiting);
    this.file = null;
    this.sent = -1;
  }
}
