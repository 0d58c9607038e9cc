import { openSync, writeSync } from 'node:fs';

/** Milliseconds that only go forward, the same in every process of the machine, whatever a fault does to its date. */
export const nowMs = () => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/**
 * Opens a process's own part of the history. A line is with the kernel when the call returns, so that it outlives the
 * process, whatever ends it.
 */
export function openHistory(file) {
  const fd = openSync(file, 'a');
  return (kind, facts = {}) => void writeSync(fd, `${JSON.stringify({ kind, at: nowMs(), ...facts })}\n`);
}
