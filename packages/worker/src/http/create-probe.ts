import type { Clock } from '@duework/queue-core';

/** What a probe found: the newest answer, or that none came in time. */
export type Probed<T> = { readonly isUp: true; readonly value: T } | { readonly isUp: false };

/**
 * Asks a question that may hang, for callers that need an answer: an answer is good for `freshMs`, a question is waited
 * for no longer than `limitMs`, and only one is ever on its way, however many callers there are.
 */
export function createProbe<T>(
  ask: () => Promise<T>,
  options: { freshMs: number; limitMs: number; clock: Clock },
): () => Promise<Probed<T>> {
  const { freshMs, limitMs, clock } = options;
  let newest: { probed: Probed<T>; atMs: number } | null = null;
  let asking: Promise<Probed<T>> | null = null;

  async function askNow(): Promise<Probed<T>> {
    try {
      const probed = { isUp: true, value: await Promise.resolve().then(ask) } as const;
      newest = { probed, atMs: clock.monotonicMs() };
      return probed;
    } catch {
      return { isUp: false };
    } finally {
      asking = null;
    }
  }

  return async () => {
    if (newest !== null && clock.monotonicMs() - newest.atMs < freshMs) return newest.probed;
    asking ??= askNow();
    const answered = asking;
    return new Promise((resolve) => {
      const cancel = clock.after(limitMs, () => resolve({ isUp: false }));
      void answered.then((probed) => {
        cancel();
        resolve(probed);
      });
    });
  };
}
