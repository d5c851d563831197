// A Farfalia bot without an SDK: grpc-js, three .proto files, and the page that describes the contract.
//
//   FARFALIA_SERVER=host:port FARFALIA_TOKEN=... node dist/bot.js      (or unix:/path for a socket)
//
// Plays the lowest card that it may, until it is told to stop.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import type { PlayRequest } from "./proto/farfalia/v1/PlayRequest.js";
import type { PlayResponse__Output } from "./proto/farfalia/v1/PlayResponse.js";
import type { Question__Output } from "./proto/farfalia/v1/Question.js";
import type { ProtoGrpcType } from "./proto/play.js";

type Stream = grpc.ClientDuplexStream<PlayRequest, PlayResponse__Output>;

const [, SCHEME, PLACE = ""] = /^(?:(https?|farfalias?):\/\/)?(.*)$/.exec(process.env.FARFALIA_SERVER ?? "127.0.0.1:7600") ?? [];
const SERVER = /^unix:|:\d+$/.test(PLACE) ? PLACE : `${PLACE}:${SCHEME === "https" ? 443 : 7600}`;
const TOKEN = process.env.FARFALIA_TOKEN ?? "";
const FIRST_WAIT = 250, LONGEST_WAIT = 15_000, SETTLED = 3_000, WELCOME_WITHIN = 20_000;
const KEPT_OUT_ATTEMPTS = 4; // another instance may be our own lost connection
const PLAY = 3;

const definition = protoLoader.loadSync("farfalia/v1/play.proto", {
  includeDirs: [fileURLToPath(new URL("../proto", import.meta.url))],
  keepCase: true,
  longs: String, // matches are 64 bits wide
  enums: Number,
  defaults: true,
});
const { PlayService } = (grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType).farfalia.v1;

// Trying again would end the same way. ABORTED: another instance took over.
const FINAL = [
  grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED, grpc.status.INVALID_ARGUMENT,
  grpc.status.FAILED_PRECONDITION, grpc.status.UNIMPLEMENTED, grpc.status.ABORTED,
];
const instance = randomBytes(16); // the same for as long as this process lives
const nonces = new Map<string, Buffer>(); // what we have given, by tournament and match
const open = new Set<string>(); // matches at which we sit
let leaving = false;
let dialled: Stream | null = null; // the newest stream, welcomed or not
let welcomed: Stream | null = null; // the newest one that was welcomed
let wait = FIRST_WAIT;
let keptOut = 0;
let pingInterval = 5_000;

/** One of the legal actions. Kinds that it does not know get the first one. */
function decide({ kind, view, legal }: Question__Output): number {
  if (kind !== PLAY || view?.ruleset === "farrago") return legal[0]!;
  return legal.reduce((best, card) => (card % 13 < best % 13 ? card : best));
}

/** A nonce for a secret that cards of ours will come from: always the same one for the same secret. */
function nonceOf(tournament: string, match: string): Buffer {
  const key = `${tournament}/${match}`;
  const nonce = nonces.get(key) ?? randomBytes(16);
  nonces.set(key, nonce);
  return nonce;
}

/** One stream, from hello to its end. */
function connect(): void {
  const secure = SCHEME === "https" || SCHEME === "farfalias";
  const client = new PlayService(SERVER, secure ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.max_receive_message_length": 16 << 20,
    // No proxy leads back to this machine, whatever http_proxy says.
    "grpc.enable_http_proxy": /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(SERVER) ? 0 : 1,
  });
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${TOKEN}`);
  const stream: Stream = client.Play(metadata);
  dialled = stream;
  let since = 0;
  let ended = false;
  let patience = WELCOME_WITHIN;
  let silent = setTimeout(() => stream.cancel(), patience);

  function take(message: PlayResponse__Output): void {
    const reply: PlayRequest = {};
    if (message.welcome) {
      console.error(`farfalia: connected as ${message.welcome.bot}`);
      since = Date.now();
      welcomed = stream;
      keptOut = 0;
      pingInterval = message.welcome.ping_interval_ms;
      patience = 3 * pingInterval;
      open.clear();
      for (const { match } of message.welcome.open) open.add(match);
      if (leaving) reply.goodbye = {}; // a server that was started again does not know
    }
    clearTimeout(silent);
    if (patience) silent = setTimeout(() => stream.cancel(), patience);
    for (const { match } of message.seated) open.add(match);
    if (message.questions.length) {
      reply.actions = message.questions.map((asked) => ({ match: asked.match, number: asked.number, action: decide(asked) }));
    }
    for (const { match, number, text } of message.results) console.error(`farfalia: match ${match}, question ${number}: ${text}`);
    for (const { match } of message.finished) open.delete(match);
    if (message.ping) reply.pong = { nonce: message.ping.nonce };
    for (const { text } of message.notices) console.error(`farfalia: ${text}`);
    if (message.entered.length) {
      reply.nonces = message.entered.map(({ tournament, match }) => ({ tournament, match, nonce: nonceOf(tournament, match) }));
    }
    if (Object.keys(reply).length) stream.write(reply);
    if (message.drain && dialled === stream) connect(); // takes over from this stream, which plays on until then
  }

  function end(status: { code: number; details: string }): void {
    if (ended) return;
    ended = true;
    clearTimeout(silent);
    client.close();
    if (leaving && status.code === grpc.status.OK && welcomed === stream) process.exit(0); // our goodbye
    if (dialled !== stream) return; // drained: the next stream has taken over
    const kept = status.code === grpc.status.ALREADY_EXISTS;
    if (FINAL.includes(status.code) || (kept && ++keptOut > KEPT_OUT_ATTEMPTS)) {
      console.error(`farfalia: ${status.details}`);
      process.exit(3);
    }
    if (leaving && !open.size) process.exit(0);
    if (since && Date.now() - since >= SETTLED) wait = FIRST_WAIT;
    const pause = kept ? pingInterval : wait * (0.5 + Math.random() / 2);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    console.error(`farfalia: ${status.details || "the stream has ended"}; trying again in ${Math.round(pause)} ms`);
    setTimeout(connect, pause);
  }

  stream.on("data", take);
  stream.on("status", end);
  stream.on("error", (error) => end(error as grpc.ServiceError));
  stream.write({
    hello: {
      client: "typescript-example",
      client_version: "1",
      instance,
      capacity: { matches: 64, questions: 64 },
    },
  });
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => { // a second one ends the process
    leaving = true;
    if (!welcomed) process.exit(0);
    welcomed.write({ goodbye: {} }); // the server ends the stream after the last open match
  });
}
connect();
