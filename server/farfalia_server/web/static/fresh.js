// Keeps a page up to date that has no stream of its own.
import { refreshEvery } from "./regions.js";

refreshEvery(15);
