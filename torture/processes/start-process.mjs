import { fork } from 'node:child_process';
import { join } from 'node:path';
import { onEnd } from '../../scripts/lib/clean-up.mjs';

const LINES_KEPT = 20;

/**
 * Starts a process of this folder and speaks with it. What it prints to stderr is kept (the last lines), and so is how it
 * ended: a process that nobody told to end is a finding.
 *
 * @param {string} main - a file of this folder
 * @param {object} settings - given to it as JSON
 */
export function startProcess(main, settings) {
  const child = fork(join(import.meta.dirname, main), [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const end = onEnd(() => child.kill('SIGKILL'));
  const said = [];
  const answers = new Map();
  const state = { isTold: false, ended: null };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.push(...text.trimEnd().split('\n'));
    said.splice(0, said.length - LINES_KEPT);
  });
  // a message to a process that has just died
  child.on('error', () => {});
  const exited = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      end();
      state.ended = { code, signal };
      resolve(state.ended);
      for (const answer of answers.values()) answer(null);
    });
  });
  child.on('message', ({ kind, ...facts }) => {
    answers.get(kind)?.(facts);
    answers.delete(kind);
  });

  const hear = (kind) =>
    state.ended === null ? new Promise((resolve) => answers.set(kind, resolve)) : Promise.resolve(null);
  return {
    pid: child.pid,
    said,
    exited,
    /** Null while it runs, then how it ended. */
    get ended() {
      return state.ended;
    },
    /** Whether its end was wanted. */
    get isTold() {
      return state.isTold;
    },
    tell: (kind, facts = {}) => void (child.connected && child.send({ kind, ...facts })),
    /** Resolves with the next message of a kind; null when it ends first. */
    hear,
    /** Sends, and resolves with the answer of the same kind; null when it ends first. */
    ask(kind, facts = {}) {
      const answer = hear(kind);
      if (child.connected) child.send({ kind, ...facts });
      return answer;
    },
    /** Sends a signal; of one that ends it, it is known from then on that this was wanted. */
    signal(name) {
      if (name !== 'SIGSTOP' && name !== 'SIGCONT') state.isTold = true;
      child.kill(name);
    },
    /** It is about to end by itself, as it was told. */
    expectEnd() {
      state.isTold = true;
    },
  };
}
