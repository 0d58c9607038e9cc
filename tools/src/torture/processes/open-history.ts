import { openSync, writeSync } from 'node:fs';
import type { EventFacts, EventKind } from '../observer/history-events.js';

/** Milliseconds that only go forward, the same in every process of the machine, whatever a fault does to its date. */
export const nowMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** Writes one line. */
export type WriteLine = (kind: string, facts?: object) => void;
/** Writes one line of the history. */
export type WriteEvent = <K extends EventKind>(kind: K, facts: EventFacts[K]) => void;

/**
 * Opens a process's own part of the history, or a ledger. A line is with the kernel when the call returns, so that it
 * outlives the process, whatever ends it.
 */
export function openLines(file: string): WriteLine {
  const fd = openSync(file, 'a');
  return (kind, facts = {}) => void writeSync(fd, `${JSON.stringify({ kind, at: nowMs(), ...facts })}\n`);
}

/** The same for the history, with what each kind of line has to say. */
export const openHistory = (file: string): WriteEvent => openLines(file);
