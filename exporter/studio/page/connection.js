// @ts-check
/**
 * The socket to the studio's server. It comes back by itself, with its session, after sleep or a
 * pause of the network, and to a server that was started again for the same project: that proves
 * itself first, then this tab, by a key that the server before has given it.
 */

import { readFrame } from "./frames.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const WRONG_TOKEN = 4401;
const TOO_MANY = 4429;
const SESSION = "level-exporter-session";

/** @typedef {(event: import("./messages.js").Event) => void} Listener */

export class Connection {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
    /** Is given every event of the server. @type {Listener} */
    this.listener = () => {};
    /** @type {(state: "connected" | "waiting" | "refused" | "full") => void} */
    this.onState = () => {};
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {string[]} */
    this.unsent = [];
    /** Only in memory: another program that gets the port gets no page with it. @type {CryptoKey | null} */
    this.key = null;
    this.session = "";
    /** The number of this connection that the server's proof has to contain. */
    this.challenge = "";
    window.addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.connect();
    });
  }

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/session`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.challenge = this.key ? hex(crypto.getRandomValues(new Uint8Array(32))) : "";
      const session = sessionStorage.getItem(SESSION);
      socket.send(JSON.stringify({ token: this.token, session, ...this.challenge ? { challenge: this.challenge } : {} }));
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  /** @param {string | ArrayBuffer} data */
  receive(data) {
    const event = typeof data === "string" ? JSON.parse(data) : readFrame(data);
    if (event.event === "proof") return void this.prove(event);
    if (event.event === "welcome") {
      this.token = event.token || this.token;
      // A server that was started again does not know what these messages are about.
      if (this.session && this.session !== event.session) this.unsent = [];
      this.session = event.session;
      void this.keep(event.key);
      sessionStorage.setItem(SESSION, event.session);
      this.wait = FIRST_WAIT;
      this.onState("connected");
      for (const text of this.unsent.splice(0)) this.socket?.send(text);
    }
    this.listener(event);
  }

  /** Keep what a later run knows this tab by. @param {string} key */
  async keep(key) {
    if (!key || !crypto.subtle) return; // browsers have it for this machine and https
    const bytes = Uint8Array.from(key.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    this.key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  }

  /** Answer a server that proves that it has the key, and no other. @param {import("./messages.js").ProofEvent} event */
  async prove({ number, proof }) {
    const { key, socket, challenge } = this;
    if (!socket || !key) return;
    if (proof !== await codeOf(key, `studio ${challenge} ${number}`)) {
      socket.onclose = null;
      socket.close();
      return this.onState("refused");
    }
    socket.send(JSON.stringify({ proof: await codeOf(key, `tab ${challenge} ${number}`) }));
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   */
  closed(socket, code) {
    if (socket !== this.socket) return;
    if (code === WRONG_TOKEN) return this.onState("refused");
    this.onState(code === TOO_MANY ? "full" : "waiting");
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** @param {import("./messages.js").Request} message */
  send(message) {
    const text = JSON.stringify(message);
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open) this.socket?.send(text);
    else this.unsent.push(text);
    return open;
  }
}

/** @param {CryptoKey} key @param {string} text */
async function codeOf(key, text) {
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
