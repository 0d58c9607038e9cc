import { fork, type ChildProcess } from 'node:child_process';
import type { FromThread, StartMessage, ToThread } from './wire/messages.js';

/** The supervisor as a built file, also for a test that runs the sources. */
const supervisor = new URL(
  import.meta.url.endsWith('.ts') ? '../dist/child/supervisor-main.js' : './child/supervisor-main.js',
  import.meta.url,
);

const hasGroups = process.platform !== 'win32';

/** `error`: it was never started. `signal`: what ended it, if not itself. */
export interface ProcessEnding {
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface IsolatedProcess {
  post(message: StartMessage | ToThread): void;
  /** Ends it and whatever it has started, without asking. */
  kill(): void;
  /** Resolves when the process has ended and its last message has been told. */
  readonly ended: Promise<ProcessEnding>;
}

/** Starts the process of one attempt: the leader of a group, so that what its handler starts can be ended with it. */
export function startProcess(onMessage: (message: FromThread) => void): IsolatedProcess {
  const child = fork(supervisor, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: hasGroups });
  child.on('message', (message) => onMessage(message as FromThread));
  return {
    // what can no longer be told to it, it needs no longer to know
    post: (message) => void child.send(message, () => {}),
    kill: () => killGroup(child),
    ended: new Promise((resolve) => {
      // of one that runs it tells what could not be sent or killed, which its end tells better
      child.on('error', (error) => void (child.pid === undefined && resolve({ signal: null, error })));
      child.on('close', (_, signal) => resolve({ signal, error: null }));
    }),
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (!hasGroups) return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has just ended by itself
  }
}
