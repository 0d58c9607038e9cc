import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../../bootstrap/plain-error.mjs';

const LIMIT_MS = 60_000;
const LOOK_MS = 100;

/**
 * Waits until a program answers its /readyz with 200; returns early when `isStopping` says that nobody waits any more.
 *
 * @throws PlainError with its last answer when it is not ready within a minute
 */
export async function waitUntilReady(name: string, url: string, isStopping: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  let answer = 'nothing';
  while (!isStopping()) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      const text = await response.text();
      if (response.ok) return;
      answer = `${response.status} ${text.slice(0, 200)}`;
    } catch {
      // It is not listening yet.
    }
    if (performance.now() > deadlineMs)
      throw new PlainError(`The ${name} is not ready after ${LIMIT_MS / 1_000} s; ${url} answers: ${answer}`);
    await pause(LOOK_MS);
  }
}
