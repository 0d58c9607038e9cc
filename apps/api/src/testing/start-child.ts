import { waitUntil } from '@duework/http/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  /** The text it has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the log line that has this message, once it is written. */
  logged(message: string): Promise<Record<string, unknown>>;
  /** Resolves with its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Runs a built program of this app (`main.js`) with no environment but `env`. */
export function startChild(program: string, env: Record<string, string>): Child {
  const path = fileURLToPath(new URL(`../../dist/${program}`, import.meta.url));
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const find = (message: string): string | undefined =>
    out.split('\n').find((line) => line.includes(`"msg":"${message}"`) && line.endsWith('}'));
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    // what it wrote has been read by then
    hasEnded = true;
    return code as number | null;
  });
  return {
    process: child,
    out: () => out,
    err: () => err,
    async logged(message) {
      await waitUntil(`${program} logs ${message}`, () => find(message) !== undefined || hasEnded);
      const line = find(message);
      if (line === undefined) throw new Error(`${program} ended without ${message}: ${err}`);
      return JSON.parse(line) as Record<string, unknown>;
    },
    ended,
  };
}
