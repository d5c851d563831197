// FARFALIA-DEAL-1 in JavaScript, as docs/deals.md says it: what a bot needs to check its deals.
import { createHash } from "node:crypto";

const zero = Buffer.from([0]);
const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const named = (purpose, ...parts) => hash(Buffer.from(`FARFALIA-DEAL-1/${purpose}`), zero, ...parts);

function prefixed(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const commitment = (secret) => named("commit", secret);

export function mix(nonces) {
  return nonces.length ? named("mix", ...[...nonces].sort(Buffer.compare).map(prefixed)) : Buffer.alloc(0);
}

export function boardKey(secret, nonces, board) {
  return named("board", prefixed(secret), prefixed(mix(nonces)), prefixed(Buffer.from(board)));
}

/** The words of a label, without end. */
export function* words(key, label) {
  const prefix = Buffer.concat([key, zero, Buffer.from(label), zero]);
  const number = Buffer.alloc(8);
  for (let block = 0n; ; block += 1n) {
    number.writeBigUInt64BE(block);
    const digest = hash(prefix, number);
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

export function uniform(stream, n) {
  if (n === 1) return 0;
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word;
  do word = stream.next().value; while (word >= limit);
  return word % n;
}

export function shuffle(key, label, n) {
  const stream = words(key, label);
  const list = [...Array(n).keys()];
  for (let i = n - 1; i > 0; i -= 1) {
    const j = uniform(stream, i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
