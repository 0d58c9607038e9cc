import type { Middleware } from '@duework/queue-core';

/** A middleware that remembers which handlers were called: a claimed run may still wait for its slot. */
export function recordStarts(): { middleware: Middleware; waitFor: (count: number) => Promise<void> } {
  let started = 0;
  let look = (): void => {};
  return {
    middleware: (_, next) => {
      started++;
      look();
      return next({});
    },
    waitFor: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (started >= count) resolve();
        };
        look();
      }),
  };
}
