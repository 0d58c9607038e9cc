import { PlainError } from '../lib/plain-error.mjs';

const timeoutMs = 60_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until a program answers GET /readyz with 200.
 *
 * @throws {PlainError} when it does not within a minute, with its last answer
 */
export async function waitUntilReady(name, url, isStopping) {
  const deadline = Date.now() + timeoutMs;
  let answer = 'nothing';
  while (!isStopping()) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      const text = await response.text();
      if (response.ok) return;
      answer = `${response.status} ${text.slice(0, 200)}`;
    } catch {
      // Not listening yet.
    }
    if (Date.now() > deadline)
      throw new PlainError(`The ${name} is not ready after ${timeoutMs / 1_000} s; ${url} answers: ${answer}`);
    await pause(100);
  }
}
