// @ts-check
/** Buttons that add, remove, rename and reorder the layers and objects of the spec. */

import { element } from "./elements.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {(changes: import("./messages.js").Change[], merge: string) => void} Change */

/**
 * @param {{change: Change, send: (message: import("./messages.js").Request) => void}} host
 * @param {string} name @param {string[]} names the layers in their order
 */
export function layerButtons(host, name, names) {
  const place = names.indexOf(name);
  const input = element("input", {
    type: "text", value: name, maxlength: 64, "aria-label": `Name of the layer ${name}`, id: `layer-name-${name}`,
    onchange: () => { if (input.value && input.value !== name) host.send({ do: "rename_layer", layer: name, name: input.value }); },
  });
  return element("div", { className: "structure" }, input, ...orderButtons(host, ["layers", name], `layer ${name}`, place, names.length));
}

/** @param {{change: Change}} host @param {string} name @param {number} place @param {number} count */
export function objectButtons(host, name, place, count) {
  return element("div", { className: "structure" }, ...orderButtons(host, ["objects", place], `object ${name}`, place, count));
}

/**
 * @param {{change: Change}} host @param {(string | number)[]} path @param {string} what
 * @param {number} place @param {number} count
 */
function orderButtons(host, path, what, place, count) {
  const key = path.join("-");
  /** @type {(sign: string, title: string, to: number) => HTMLElement} */
  const move = (sign, title, to) => element("button", {
    className: "quiet", id: `${title.toLowerCase()}-${key}`, title: `${title} ${what}`, "aria-label": `${title} ${what}`, disabled: to < 0 || to >= count,
    onclick: () => host.change([{ move: path, place: to }], ""),
  }, sign);
  return [
    move("↑", "Earlier", place - 1), move("↓", "Later", place + 1),
    element("button", {
      className: "quiet", id: `remove-${key}`, title: `Remove ${what}`, "aria-label": `Remove ${what}`,
      onclick: () => host.change([{ remove: path }], ""),
    }, "Remove"),
  ];
}

/** A form that adds a layer of a generator. @param {{change: Change}} host @param {Schema} schema @param {string[]} names */
export function addLayerForm(host, schema, names) {
  const about = element("p", { className: "about" });
  const generator = element("select", { id: "new-layer-generator", "aria-label": "Generator", onchange: () => tell() },
    ...schema.generatorNames().sort().map((one) => element("option", { value: one }, one)));
  const name = element("input", { id: "new-layer-name", type: "text", maxlength: 64, "aria-label": "Name of the new layer" });
  const tell = () => {
    about.textContent = schema.aboutGenerator(generator.value);
    name.value = freeName(generator.value, names);
  };
  const add = () => {
    if (!name.value || names.includes(name.value)) return name.focus();
    /** @type {Record<string, unknown>} */
    const value = { generator: generator.value };
    // A parameter without a default is most often the layer to read.
    for (const needed of schema.requiredLayerNames(generator.value)) if (names.length) value[needed] = names[names.length - 1];
    host.change([{ set: ["layers", name.value], value }], "");
  };
  if (schema.generatorNames().includes("cellular_caves")) generator.value = "cellular_caves";
  tell();
  return element("div", { className: "add" }, generator, name, element("button", { id: "add-layer", onclick: add }, "Add layer"), about);
}

/** @param {{change: Change}} host @param {any[]} objects those of the spec */
export function addObjectForm(host, objects) {
  const taken = objects.map((one) => one?.name);
  const name = element("input", { id: "new-object-name", type: "text", maxlength: 64, "aria-label": "Name of the new object", value: freeName("chest", taken) });
  const add = () => {
    if (!name.value) return name.focus();
    const value = { name: name.value, count: 1 };
    host.change([objects.length ? { insert: ["objects", objects.length], value } : { set: ["objects"], value: [value] }], "");
  };
  return element("div", { className: "add" }, name, element("button", { id: "add-object", onclick: add }, "Add objects"));
}

/** @param {string} wanted @param {string[]} taken */
function freeName(wanted, taken) {
  let found = wanted;
  for (let number = 2; taken.includes(found); number++) found = `${wanted}_${number}`;
  return found;
}
