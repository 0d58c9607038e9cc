import { fork, type SendHandle } from 'node:child_process';
import { onEnd } from './clean-up.js';
import { toolPath } from './tool-path.js';
import { withLimit } from './with-limit.js';

const LINES_KEPT = 20;
const ANSWER_MS = 30_000;

/** What a message says besides its kind. Whoever sends it knows its shape, and so does whoever asked for it. */
export type Facts = Readonly<Record<string, unknown>>;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartProcessOptions {
  /** Below tools/src, as it is called when built: `bench/processes/worker.js`. */
  readonly main: string;
  /** For messages. */
  readonly name: string;
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
}

export interface StartedProcess {
  readonly pid: number | undefined;
  /** The last lines it has printed to stderr. */
  readonly said: readonly string[];
  /** Resolves with how it ended, when all it has printed is there too. */
  readonly exited: Promise<ProcessEnd>;
  /** Null while it runs, then how it ended. */
  readonly ended: ProcessEnd | null;
  /** Whether its end was wanted: one that nobody told to end is a finding. */
  readonly isTold: boolean;
  /** Rejects when it ends, or says that it has failed. */
  readonly failed: Promise<never>;
  /** Calls `listen` with each message of a kind, from now on, instead of whoever listened before. */
  on(kind: string, listen: (facts: never) => void): void;
  /** To one that has ended nothing is sent. */
  send(kind: string, facts?: object): void;
  /** Resolves with the next message of a kind; null when it ends first. */
  next<T extends object = Facts>(kind: string): Promise<T | null>;
  /** Sends, and resolves with the answer of the same kind; null when it ends first. */
  ask<T extends object = Facts>(kind: string, facts?: object): Promise<T | null>;
  /** The same, and rejects when it fails, ends, or takes longer than `limitMs` (30,000 unless given). */
  demand<T extends object = Facts>(kind: string, facts?: object, limitMs?: number): Promise<T>;
  /** Sends a signal; of one that ends it, it is known from then on that this was wanted. */
  signal(name: NodeJS.Signals): void;
  /** It is about to end by itself, as it was told. */
  expectEnd(): void;
  /** Kills it, and resolves when it has ended. */
  end(): Promise<void>;
}

type Listener = (facts: never) => void;

/**
 * Starts a process of the tools that does one thing, a worker or a producer, and speaks with it; its side is
 * `serveParent`. It ends with this process at the latest.
 */
export function startProcess({ main, name, args = [], nodeOptions = [] }: StartProcessOptions): StartedProcess {
  const child = fork(toolPath(main), [...args], {
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const endNow = onEnd(() => child.kill('SIGKILL'));
  const said = keepLines(child.stderr);
  const listeners = new Map<string, Listener>();
  const waiting = new Map<string, Set<(facts: object | null) => void>>();
  let ended: ProcessEnd | null = null;
  let isTold = false;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {});

  // also of a message to a process that has just died
  child.on('error', (error) => fail(new Error(`${name}: ${error.message}`)));
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.on('close', (code, signal) => {
      endNow();
      ended = { code, signal };
      fail(new Error(`${name}: its process ended (${signal ?? `exit code ${code}`}). ${said.join(' ')}`.trimEnd()));
      resolve(ended);
      for (const answers of waiting.values()) for (const answer of answers) answer(null);
      waiting.clear();
    });
  });
  child.on('message', (message) => {
    const { kind, ...facts } = message as { kind: string };
    if (kind === 'failed') fail(new Error(`${name}: ${(facts as { message?: string }).message}`));
    (listeners.get(kind) as ((facts: object) => void) | undefined)?.(facts);
    const answers = waiting.get(kind);
    waiting.delete(kind);
    for (const answer of answers ?? []) answer(facts);
  });

  const send = (kind: string, facts: object = {}): void => {
    const handle: SendHandle | undefined = undefined;
    if (child.connected) child.send({ kind, ...facts }, handle, () => {});
  };
  const next = <T extends object>(kind: string): Promise<T | null> => {
    if (ended !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const answers = waiting.get(kind) ?? new Set();
      waiting.set(
        kind,
        answers.add((facts) => resolve(facts as T | null)),
      );
    });
  };
  const ask = <T extends object>(kind: string, facts: object = {}): Promise<T | null> => {
    const answer = next<T>(kind);
    send(kind, facts);
    return answer;
  };

  return {
    pid: child.pid,
    said,
    exited,
    get ended() {
      return ended;
    },
    get isTold() {
      return isTold;
    },
    failed,
    on: (kind, listen) => void listeners.set(kind, listen),
    send,
    next,
    ask,
    demand<T extends object>(kind: string, facts: object = {}, limitMs = ANSWER_MS) {
      // one that ends is told by `failed`, with the reason
      const answer = ask<T>(kind, facts).then((given) => given ?? failed);
      return withLimit(Promise.race([answer, failed]), limitMs, `${name}: no answer to "${kind}"`);
    },
    signal(signal) {
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') isTold = true;
      child.kill(signal);
    },
    expectEnd: () => void (isTold = true),
    async end() {
      isTold = true;
      endNow();
      await exited;
    },
  };
}

/** The last lines of a stream, kept up to date. */
function keepLines(stream: NodeJS.ReadableStream | null): readonly string[] {
  const said: string[] = [];
  stream?.setEncoding('utf8').on('data', (text: string) => {
    said.push(...text.trimEnd().split('\n'));
    said.splice(0, said.length - LINES_KEPT);
  });
  return said;
}
