import { openSync, writeSync } from 'node:fs';
import type { EventFacts, EventKind } from '../observer/history-events.js';

/** Monotonic milliseconds, the same in every process of the machine, whatever a fault does to its date. */
export const nowMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** Writes one line. */
export type WriteLine = (kind: string, facts?: object) => void;
/** Writes one line of the history. */
export type WriteEvent = <K extends EventKind>(kind: K, facts: EventFacts[K]) => void;

/**
 * Opens a process's own part of the history, or a ledger. The kernel has a line when the call returns, so the line
 * outlives the process, whatever ends it.
 */
export function openLines(file: string): WriteLine {
  const fd = openSync(file, 'a');
  return (kind, facts = {}) => void writeSync(fd, `${JSON.stringify({ kind, at: nowMs(), ...facts })}\n`);
}

/** The same for the history, with the facts of each kind of line. */
export const openHistory = (file: string): WriteEvent => openLines(file);
