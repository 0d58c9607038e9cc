import { spawn, type ChildProcess } from 'node:child_process';
import { workerEnv } from '../env.js';

interface KeepOptions {
  /** For people: `worker`. */
  readonly name: string;
  /** The program of the command. */
  readonly self: string;
  /** Of the command, with the module of jobs. */
  readonly args: readonly string[];
  readonly url: string;
  readonly write: (text: string) => void;
  /** The database was made anew: called before it starts again. */
  readonly onReplaced?: () => Promise<void>;
}

/** The exit code of a worker whose database was made anew. `@duework/worker` has it, too, which only the worker's process loads. */
const REPLACED_CODE = 5;

export interface KeptWorker {
  /** Lets running jobs end, then starts a new worker. A second call meanwhile changes nothing. */
  readonly restart: () => void;
  /** Lets running jobs end; resolves when the process has ended. */
  readonly stop: () => Promise<void>;
  /** Does not wait for running jobs any longer; at the second call the process is killed. */
  readonly hurry: () => void;
}

/**
 * Starts a worker, or the console, in a process of its own, and a new one whenever it is told to. One that fails
 * waits for a change.
 */
export function keepWorker({ name, self, args, url, write, onReplaced }: KeepOptions): KeptWorker {
  let isStopping = false;
  let isRestarting = false;
  let signals = 0;
  let child: ChildProcess;
  let ended: Promise<void>;

  const start = (): void => {
    isRestarting = false;
    signals = 0;
    // a group of its own, so that Ctrl-C in the terminal is received here only, and sent on once
    child = spawn(process.execPath, [self, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
      env: workerEnv(url),
    });
    ended = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', (code) => {
        if (!isStopping && !isRestarting && code === REPLACED_CODE && onReplaced !== undefined) {
          write('The database was made anew.\n');
          isRestarting = true;
          void onReplaced().then(startUnlessStopped, tellFailed);
        } else if (!isStopping && !isRestarting)
          write(`The ${name} has ended with exit code ${code ?? 'none'}; it starts again when a file changes.\n`);
        resolve();
      });
    });
  };
  const startUnlessStopped = (): void => {
    if (!isStopping) start();
  };
  const tellFailed = (error: Error): void => {
    isRestarting = false;
    write(`${error.message}\nThe ${name} starts again when a file changes.\n`);
  };
  const end = (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signals++ < 2 ? 'SIGTERM' : 'SIGKILL');
    return ended;
  };

  start();
  return {
    restart: () => {
      if (isStopping || isRestarting) return;
      isRestarting = true;
      void end().then(startUnlessStopped);
    },
    stop: () => {
      isStopping = true;
      return isRestarting ? ended : end();
    },
    hurry: () => void end(),
  };
}
