// Reads lines, each with events and the texts of a table, and writes a line for each: what the pages' scripts make of
// the events, step by step.
// The folder of the scripts is the first argument.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const scripts = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`).href);
const { stepped, turn, collection, slots } = await scripts("table_state.js");
const words = await scripts("table_words.js");

for await (const line of createInterface({ input: process.stdin })) {
  const { events, texts } = JSON.parse(line);
  const told = stepped(events).map((table) => ({
    ...table,
    faces: {},
    turn: turn(table),
    collections: table.sides.map((side) => collection(table, side)),
    slots: table.sides.map((side) => slots(table, side)),
    opening: words.opening(table, texts),
    said: [words.card(table, texts), ...words.ending(table, texts)],
    note: table.tricks.length ? words.cause(table.tricks.at(-1).plays.at(-1), texts) : "",
    score: words.score(table, texts),
  }));
  console.log(JSON.stringify(told));
}
