// A Farfalia bot without an SDK: grpc-js, three .proto files, and the page that describes the contract.
//
//   FARFALIA_SERVER=host:port FARFALIA_TOKEN=... node bot.mjs [MATCHES]      (or unix:/path for a socket)
//
// Plays until it is told to stop, or says goodbye after as many matches as the argument says. Wins tricks as highly as
// it can, collects what it can.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const [, SCHEME, SERVER] = /^(?:(https?|farfalias?):\/\/)?(.*)$/.exec(process.env.FARFALIA_SERVER ?? "127.0.0.1:7600");
const TOKEN = process.env.FARFALIA_TOKEN ?? "";
const WANTED = Number(process.argv[2] ?? Infinity);

const definition = protoLoader.loadSync("farfalia/v1/play.proto", {
  includeDirs: [fileURLToPath(new URL("proto", import.meta.url))],
  keepCase: true,
  longs: String, // matches are 64 bits wide
  enums: Number,
  defaults: true,
});
const { PlayService } = grpc.loadPackageDefinition(definition).farfalia.v1;

// Trying again would end the same way. ABORTED: another instance took over.
const FINAL = [
  "UNAUTHENTICATED", "PERMISSION_DENIED", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "UNIMPLEMENTED", "ABORTED",
].map((name) => grpc.status[name]);
const DISCARD = 1, DECLARE = 2, PLAY = 3, COLLECT = 4;
const instance = randomBytes(16); // the same for as long as this process lives
const nonces = new Map(); // what we have given, by tournament and match, and whether the stream has broken since
const leftOut = new Map(); // by match: the secret that has come about without our nonce
let finished = 0;
let leaving = false;
let current = null; // the newest stream

const suit = (card) => Math.floor(card / 13); // S L F O
const rank = (card) => (card % 13) + 1;

/** The trick on the table: what was played after the last completed trick. */
function trickOf(view) {
  return [...view.plays.subarray(view.seats.length * view.winners.length)];
}

/** How strong a card is in a trick that was begun with `led`; trumps are suit + 1. */
function strength(card, led, trumps) {
  if (suit(card) === trumps - 1) return 100 + rank(card);
  return suit(card) === suit(led) ? rank(card) : 0;
}

function play(view, legal) {
  const trick = trickOf(view);
  const led = trick[0] ?? null;
  const value = (card) => strength(card, led ?? card, view.trumps);
  const best = Math.max(0, ...trick.map(value));
  const sorted = [...legal].sort((a, b) => value(a) - value(b) || rank(a) - rank(b));
  const highest = sorted[sorted.length - 1];
  return value(highest) > best ? highest : sorted[0];
}

function declare(view) {
  const lengths = [0, 0, 0, 0];
  for (const card of view.hand) if (card < 52) lengths[suit(card)] += 1; // wild cards have no suit
  return 120 + lengths.indexOf(Math.max(...lengths));
}

function decide({ kind, view, legal }) {
  switch (kind) {
    case PLAY: return play(view, legal);
    case DECLARE: return declare(view);
    case COLLECT: return legal[0]; // the lowest card; 116, declining, comes last
    case DISCARD: return legal[0];
    default: return legal[0]; // a kind that this bot does not know: any legal action will do
  }
}

function answer({ match, number, view, ...question }) {
  try {
    return { match, number, action: decide({ view, ...question }) };
  } catch (error) {
    return { match, number, failure: String(error) };
  }
}

/** A nonce for a secret that cards of ours will come from: always the same one for the same secret. */
function enter({ tournament, match }) {
  const key = `${tournament}/${match}`;
  const { nonce } = nonces.get(key) ?? { nonce: randomBytes(16) };
  nonces.set(key, { nonce, unsure: false });
  return { tournament, match, nonce };
}

/** Our nonce has to be among those that the server used. */
function check({ tournament, match, nonces: used }) {
  const key = tournament === "0" ? `0/${match}` : `${tournament}/0`;
  const given = nonces.get(key);
  if (given && !used.some((other) => given.nonce.equals(other))) leftOut.set(match, key);
}

/** A nonce that was late, or not the first one of ours, is not used: the server says so, perhaps after `seated`. */
function forget({ reason, tournament, match }) {
  if (/^NONCE_|^NOT_ENTERED$/.test(reason)) nonces.delete(`${tournament}/${match}`);
}

/** By now every notice has come. */
function accuse({ match }) {
  const given = nonces.get(leftOut.get(match));
  leftOut.delete(match);
  if (!given) return;
  const why = given.unsure ? "it may have been lost when the connection broke" : "the server may have chosen the deals";
  console.error(`farfalia: match ${match}: our nonce was left out; ${why}`);
}

/** One stream, from hello to its end; `attempt` counts streams since the last one that was welcomed. */
function connect(attempt, keptOut = 0) {
  const secure = SCHEME === "https" || SCHEME === "farfalias";
  const client = new PlayService(SERVER, secure ? grpc.credentials.createSsl() : grpc.credentials.createInsecure(), {
    "grpc.keepalive_time_ms": 20_000,
    "grpc.keepalive_timeout_ms": 10_000,
    // No proxy leads back to this machine, whatever http_proxy says.
    "grpc.enable_http_proxy": /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(SERVER) ? 0 : 1,
  });
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${TOKEN}`);
  const stream = client.Play(metadata);
  current = stream;
  let ended = false;
  let tries = attempt + 1;
  let refusals = keptOut + 1;

  function end(status) {
    if (ended) return;
    ended = true;
    client.close();
    if (current !== stream) return; // drained: the next stream has taken over
    if (leaving && status.code === grpc.status.OK) return;
    const again = status.code === grpc.status.ALREADY_EXISTS ? refusals <= 4 : !FINAL.includes(status.code);
    if (!again) {
      console.error(`farfalia: ${status.details}`);
      process.exitCode = 1;
      return;
    }
    if (status.code === grpc.status.RESOURCE_EXHAUSTED) console.error(`farfalia: ${status.details}; trying again`);
    const pause = Math.min(15_000, 250 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
    // Another instance may be our own lost connection, which the server misses after three pings.
    setTimeout(connect, status.code === grpc.status.ALREADY_EXISTS ? 10_000 : pause, tries, refusals);
  }

  stream.on("data", (message) => {
    const reply = {};
    if (message.welcome) {
      tries = 0;
      refusals = 0;
      console.error(`farfalia: connected as ${message.welcome.bot}`);
      for (const given of nonces.values()) given.unsure = true;
      const first = new Map(); // of the seats of one tournament, only the first has its nonces
      for (const seat of message.welcome.open) {
        if (seat.tournament !== "0" && !first.has(seat.tournament)) first.set(seat.tournament, seat.nonces);
        check({ ...seat, nonces: first.get(seat.tournament) ?? seat.nonces }); // these are not among `seated`
      }
      if (leaving) reply.goodbye = {}; // a server that was started again does not know
    }
    message.notices.forEach(forget);
    if (message.entered.length) reply.nonces = message.entered.map(enter);
    message.seated.forEach(check);
    if (message.ping) reply.pong = { nonce: message.ping.nonce };
    if (message.questions.length) reply.actions = message.questions.map(answer);
    for (const { text } of message.notices) console.error(`farfalia: ${text}`);
    for (const result of message.results) {
      console.error(`farfalia: match ${result.match}, question ${result.number}: ${result.text}`);
    }
    for (const over of message.finished) {
      accuse(over);
      finished += 1;
      console.log(JSON.stringify({ match: over.match, seat: over.seat, points: over.outcome?.points ?? null }));
    }
    if (finished >= WANTED && !leaving) {
      leaving = true;
      reply.goodbye = {};
    }
    if (Object.keys(reply).length) stream.write(reply);
    if (message.drain) connect(0); // takes over from this stream, which plays on until then
  });
  stream.on("status", end);
  stream.on("error", end);
  stream.write({
    hello: {
      client: "node-example",
      client_version: "1",
      instance,
      capacity: { matches: 16, questions: 16 },
    },
  });
}

process.once("SIGTERM", () => { // a second one ends the process
  leaving = true;
  current.write({ goodbye: {} }); // the server ends the stream after the last open match
});
connect(0);
