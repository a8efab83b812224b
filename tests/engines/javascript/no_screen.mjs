// What an engine wants of a browser when it is loaded, as things that do nothing.

const something = () =>
  new Proxy(function () {}, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : something()),
    apply: something,
    construct: something,
    set: () => true,
  });
for (const name of ["AudioContext", "HTMLCanvasElement", "HTMLElement", "HTMLImageElement", "Image"]) {
  globalThis[name] = class {};
}
Object.assign(globalThis, {
  window: globalThis,
  self: globalThis,
  document: something(),
  addEventListener: () => {},
});
