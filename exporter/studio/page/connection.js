// @ts-check
/**
 * The socket to the studio's server. It comes back by itself, with its session, after sleep or a
 * pause of the network; a server that was started again has another token, and is not ours.
 */

import { readFrame } from "./frames.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const WRONG_TOKEN = 4401;
const TOO_MANY = 4429;
const SESSION = "level-exporter-session";

/** @typedef {(event: import("./messages.js").Event) => void} Listener */

export class Connection {
  /**
   * @param {string} token
   * @param {Listener} listener is given every event of the server
   * @param {(state: "connected" | "waiting" | "refused" | "full") => void} onState
   */
  constructor(token, listener, onState) {
    this.token = token;
    this.listener = listener;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {string[]} */
    this.unsent = [];
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
      const session = sessionStorage.getItem(SESSION);
      socket.send(JSON.stringify({ token: this.token, session }));
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  /** @param {string | ArrayBuffer} data */
  receive(data) {
    const event = typeof data === "string" ? JSON.parse(data) : readFrame(data);
    if (event.event === "welcome") {
      sessionStorage.setItem(SESSION, event.session);
      this.wait = FIRST_WAIT;
      this.onState("connected");
      for (const text of this.unsent.splice(0)) this.socket?.send(text);
    }
    this.listener(event);
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
