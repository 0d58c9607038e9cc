import { fork } from 'node:child_process';
import { join } from 'node:path';
import { onEnd } from '../../scripts/lib/clean-up.mjs';

const LINES_KEPT = 5;

const running = new Set();

/** Ends every process that still runs. */
export function endProcesses() {
  for (const end of running) end();
}

/**
 * Starts a process that does one thing, a worker or a producer, and speaks with it. Every wait has a limit, and ends at once
 * when the process does.
 *
 * @param {string} main - a file of this folder
 * @param {string} name - for messages: the system and the measure
 * @param {string[]} nodeOptions
 */
export function startProcess(main, name, nodeOptions = []) {
  const child = fork(join(import.meta.dirname, main), {
    execArgv: nodeOptions,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const end = onEnd(() => child.kill('SIGKILL'));
  running.add(end);
  const said = [];
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.push(...text.trimEnd().split('\n'));
    said.splice(0, said.length - LINES_KEPT);
  });
  const listeners = new Map();
  let fail = () => {};
  const failed = new Promise((_, reject) => (fail = reject));
  failed.catch(() => {});
  const exited = new Promise((resolve) => {
    child.on('error', (error) => fail(new Error(`${name}: ${error.message}`)));
    child.on('close', (code, signal) => {
      end();
      running.delete(end);
      fail(new Error(`${name}: its process ended (${signal ?? `exit code ${code}`}). ${said.join(' ')}`.trimEnd()));
      resolve();
    });
  });
  child.on('message', ({ kind, ...facts }) => {
    if (kind === 'failed') fail(new Error(`${name}: ${facts.message}`));
    listeners.get(kind)?.(facts);
  });

  return {
    pid: child.pid,
    /** Calls `listen` with each message of a kind. */
    on: (kind, listen) => listeners.set(kind, listen),
    send: (kind, facts = {}) => child.send({ kind, ...facts }),
    /** Sends, and resolves with the next answer of the same kind. */
    ask(kind, facts = {}, limitMs = 30_000) {
      const answered = new Promise((resolve) => listeners.set(kind, resolve));
      child.send({ kind, ...facts });
      return withLimit(Promise.race([answered, failed]), limitMs, `${name}: no answer to "${kind}"`);
    },
    /** Rejects when the process fails or ends. */
    failed,
    async end() {
      end();
      await exited;
    },
  };
}

/** The same promise, which rejects after `limitMs`. */
export async function withLimit(promise, limitMs, what) {
  let timer;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${Math.round(limitMs / 1000)} s.`)), limitMs);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
