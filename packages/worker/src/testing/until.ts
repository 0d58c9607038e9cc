import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Resolves when `isSo` is true: for facts that must be polled, such as a row. Jest's own limit ends the wait. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(LOOK_EVERY_MS);
}
