// 03f6f790c61883b9f8ffabcba97ca98e2c7547dab938c922c9abbc3ce400c860
var Training = class {
  step = 0;
  epoch = 0;
  offset = 0;
  order = new Int32Array(0);
  constructor(system, state, { X, n_v }, { batch_size, rng }) {
    this.system = system;
    this.state = state;
    this.X = X;
    this.n_v = n_v;
    this.n = X.length / n_v;
    this.batch_size = batch_size;
    this.rng = rng;
  }
  next() {
    if (!this.order.length) this.order = this.rng.permuted(Int32Array.from({ length: this.n }, (_, m) => m));
    const rows = this.order.subarray(this.offset, this.offset + this.batch_size), figures = this.system.step(this.state, this.batch(rows), this.rng);
    this.step += 1;
    this.offset += rows.length;
    const ended = this.offset >= this.n;
    if (ended) {
      this.epoch += 1;
      this.offset = 0;
      this.order = new Int32Array(0);
    }
    return { figures, ended };
  }
  batch(rows) {
    const { X, n_v } = this, batch = new Float64Array(rows.length * n_v);
    rows.forEach((m, k) => {
      for (let i = 0; i < n_v; i++) batch[k * n_v + i] = X[m * n_v + i];
    });
    return batch;
  }
  snapshot() {
    const { step, epoch, offset, rng } = this;
    return { step, epoch, offset, order: this.order.slice(), state: this.state.copy(), rng: rng.copy() };
  }
  restore({ state, rng, order, ...places }) {
    Object.assign(this, places);
    this.order = order.slice();
    this.state.restore(state);
    this.rng.restore(rng);
  }
};
export { Training };
