import { fileURLToPath } from 'node:url';
import { startWorkerProcess, type ProcessOptions, type WorkerProcess } from './start-worker-process.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** Starts a program of `src/fixtures` on the built package. */
export function startFixture(name: string, options: ProcessOptions): WorkerProcess {
  return startWorkerProcess(fileURLToPath(new URL(`${name}.mjs`, FIXTURES)), options);
}

/** A module of `src/fixtures`, for `--import`. */
export const fixtureUrl = (name: string): string => new URL(`${name}.mjs`, FIXTURES).href;
