import { fork, type SendHandle } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onEnd } from './clean-up.js';
import { isWarning } from './is-warning.js';
import { toolPath } from './tool-path.js';
import { withLimit } from './with-limit.js';

const LINES_KEPT = 20;
const ANSWER_MS = 30_000;

/** The content of a message besides its kind. Sender and receiver agree on its shape. */
export type Facts = Readonly<Record<string, unknown>>;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartProcessOptions {
  /** The file below tools/src, as it is called when built: `measure/bench/processes/worker.js`. */
  readonly main: string;
  /** The name that error messages use. */
  readonly name: string;
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** Called with the first line of each warning that Node prints in it. */
  readonly onWarning?: (line: string) => void;
}

export interface StartedProcess {
  readonly pid: number | undefined;
  /** The last lines it has printed to stderr. */
  readonly said: readonly string[];
  /** Resolves with how it ended, once all its output is read. */
  readonly exited: Promise<ProcessEnd>;
  /** Null while it runs, then how it ended. */
  readonly ended: ProcessEnd | null;
  /** Whether its end was asked for; an unasked end is a finding. */
  readonly isTold: boolean;
  /** Rejects when it ends, or reports that it has failed. */
  readonly failed: Promise<never>;
  /** Calls `listen` with each message of a kind, from now on, in place of the previous listener. */
  on(kind: string, listen: (facts: never) => void): void;
  /** Sends a message; nothing is sent to a process that has ended. */
  send(kind: string, facts?: object): void;
  /** Resolves with the next message of a kind; null when the process ends first. */
  next<T extends object = Facts>(kind: string): Promise<T | null>;
  /** Sends, and resolves with the answer of the same kind; null when the process ends first. */
  ask<T extends object = Facts>(kind: string, facts?: object): Promise<T | null>;
  /** Like `ask`, but rejects when the process fails, ends, or takes longer than `limitMs` (30,000 unless given). */
  demand<T extends object = Facts>(kind: string, facts?: object, limitMs?: number): Promise<T>;
  /** Sends a signal; when the process ends of it, that end counts as asked for. */
  signal(name: NodeJS.Signals): void;
  /** Marks that its coming end was asked for. */
  expectEnd(): void;
  /** Kills it, and resolves when it has ended. */
  end(): Promise<void>;
}

type Listener = (facts: never) => void;

/**
 * Starts a process of the tools that does one thing, a worker or a producer, and exchanges messages with it; the child
 * calls `serveParent`. It ends with this process at the latest.
 */
export function startProcess({
  main,
  name,
  args = [],
  nodeOptions = [],
  onWarning,
}: StartProcessOptions): StartedProcess {
  const child = fork(toolPath(main), [...args], {
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const endNow = onEnd(() => child.kill('SIGKILL'));
  const said = keepLines(child.stderr, onWarning);
  const listeners = new Map<string, Listener>();
  const waiting = new Map<string, Set<(facts: object | null) => void>>();
  let ended: ProcessEnd | null = null;
  let isTold = false;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {});

  // called for a message to a process that has just died, too
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
      // `failed` reports a process that ends, with the reason
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

/** Keeps the last lines of a stream. */
function keepLines(stream: NodeJS.ReadableStream | null, onWarning?: (line: string) => void): readonly string[] {
  const said: string[] = [];
  if (stream === null) return said;
  createInterface({ input: stream }).on('line', (line) => {
    said.push(line);
    if (said.length > LINES_KEPT) said.shift();
    if (isWarning(line)) onWarning?.(line);
  });
  return said;
}
