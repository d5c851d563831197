// Works out every test vector of a file like tests/playthroughs/deals.json with deals.mjs.
//
//   node vectors.mjs FILE      says how many there are of each kind; ends with 1 if any comes out otherwise
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { boardKey, commitment, mix, shuffle, uniform, words } from "./deals.mjs";

const bytes = (text) => Buffer.from(text, "hex");
const hex = (buffer) => buffer.toString("hex");
const all = (row) => row.nonces.map(bytes);
const text = (card) => "SLFO"[Math.floor(card / 13)] + ((card % 13) + 1);

/** The hand of a position at a table of five; 0 is the dealer, whose cards come last. */
function hand(deck, position) {
  const cards = deck.slice(0, 50).filter((_, at) => at % 5 === (position + 4) % 5);
  return (position ? cards : [...cards, ...deck.slice(50)]).sort((a, b) => a - b).map(text).join(" ");
}

const checks = {
  commitments: (row) => assert.equal(hex(commitment(bytes(row.secret))), row.commitment),
  mixes: (row) => assert.equal(hex(mix(all(row))), row.mix),
  board_keys: (row) => assert.equal(hex(boardKey(bytes(row.secret), all(row), row.board)), row.board_key),
  words: (row) => {
    const stream = words(bytes(row.board_key), row.label);
    for (const word of row.words) assert.equal(stream.next().value.toString(16).padStart(8, "0"), word);
  },
  uniforms: (row) => {
    const stream = words(bytes(row.board_key), row.label);
    for (const value of row.values) assert.equal(uniform(stream, row.n), value);
  },
  shuffles: (row) => assert.deepEqual(shuffle(bytes(row.board_key), row.label, row.n), row.list),
  five_player_deals: (row) => {
    const deck = shuffle(bytes(row.board_key), `deal/${row.deal}/cards`, 52);
    assert.deepEqual(row.hands.map((_, position) => hand(deck, position)), row.hands);
    const subjects = shuffle(bytes(row.board_key), `deal/${row.deal}/subjects`, 25).slice(0, 5);
    assert.equal(subjects.map((element) => "BSLFO"[Math.floor(element / 5)]).join(" "), row.proposal);
  },
};

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const counts = {};
for (const [name, check] of Object.entries(checks)) {
  vectors[name].forEach(check);
  counts[name] = vectors[name].length;
}
console.log(JSON.stringify(counts));
