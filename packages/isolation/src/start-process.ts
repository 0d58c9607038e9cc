import { fork, type ChildProcess } from 'node:child_process';
import { findOwnFile } from '@duework/queue-core/internals';
import type { FromProcess, StartMessage, ToThread } from './wire/messages.js';

/** The supervisor as a built file, which a test that runs the sources needs, too. */
function findSupervisor(): URL {
  const base: string | undefined = import.meta.url;
  return findOwnFile(base?.endsWith('.ts') ? '../dist/child/supervisor-main.js' : './child/supervisor-main.js', base);
}

const hasGroups = process.platform !== 'win32';

/** `error`: the process was never started. `signal`: the signal that ended it; null: it exited by itself. */
export interface ProcessEnding {
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface IsolatedProcess {
  post(message: StartMessage | ToThread): void;
  /** Replaces who gets what the process says; null: nobody, and it does not keep this program running. */
  listen(onMessage: ((message: FromProcess) => void) | null): void;
  /** Kills the process and every process it has started. */
  kill(): void;
  /** Resolves when the process has ended and its last message was received. */
  readonly ended: Promise<ProcessEnding>;
}

/**
 * Starts a process for isolated attempts as the leader of a group, so that what a handler starts can be killed with it.
 */
export function startProcess(): IsolatedProcess {
  const child = fork(findSupervisor(), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: hasGroups });
  let told: ((message: FromProcess) => void) | null = null;
  child.on('message', (message) => told?.(message as FromProcess));
  return {
    // a message that can no longer be sent is not needed any more
    post: (message) => void child.send(message, () => {}),
    listen: (onMessage) => {
      told = onMessage;
      const hold = onMessage === null ? 'unref' : 'ref';
      child[hold]();
      // Bun's channel has neither
      child.channel?.[hold]?.();
    },
    kill: () => killGroup(child),
    ended: new Promise((resolve) => {
      // for a started process it reports failed sends and kills, of which `close` says enough
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
    // the process has just ended by itself
  }
}
