import { waitUntil } from '../../kit/wait-until.js';

/** Waits until a server answers anything at all, or `isOver` says that nobody waits any more. */
export function waitUntilAnswered(name: string, url: string, isOver: () => boolean): Promise<true> {
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  return waitUntil(`The ${name} does not answer`, async () => isOver() || (await answers()), { everyMs: 100 });
}
