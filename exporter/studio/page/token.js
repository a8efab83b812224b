// @ts-check
/**
 * The token of the studio's run. Only the printed address has it; the browser keeps it for links, which have none, once the
 * server has accepted it. A later run has another one.
 */

import { isLink } from "./link_address.js";

const TOKEN = "level-exporter-token";
const PRINTED = /^#(?:token=)?[\w-]{20,}(?:&|$)/;

/** The token; empty without one. It is removed from the address; a link remains until it is followed. */
export function tokenOf() {
  // A printed address that is pasted into the open tab loads nothing by itself.
  window.addEventListener("hashchange", () => {
    if (PRINTED.test(location.hash)) location.reload();
  });
  // This tab's own may be of an earlier run: the browser has the newest that was accepted.
  const known = localStorage.getItem(TOKEN) ?? sessionStorage.getItem(TOKEN) ?? "";
  if (isLink(location.hash)) return known;
  const parts = new URLSearchParams(location.hash.slice(1).replace(/^([\w-]{20,})(&|$)/, "token=$1$2"));
  const printed = parts.get("token");
  if (printed !== null) sessionStorage.setItem(TOKEN, printed);
  parts.delete("token");
  history.replaceState(null, "", `${location.pathname}${parts.size ? `#${parts}` : ""}`);
  return printed ?? known;
}

/** The server has accepted a token. @param {string} token */
export function keepToken(token) {
  if (localStorage.getItem(TOKEN) !== token) localStorage.setItem(TOKEN, token);
}

/** Handle a token that the server has refused. @param {string} token */
export function refusalOf(token) {
  for (const store of [localStorage, sessionStorage]) if (store.getItem(TOKEN) === token) store.removeItem(TOKEN);
  const link = isLink(location.hash) ? ", then the link again." : ".";
  return token
    ? `This address is of an earlier run: open the one that the studio printed last${link}`
    : `This browser does not know the studio yet: open the address that it printed${link}`;
}
