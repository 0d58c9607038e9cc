/** Compiled only: the handler of a contract that collects gets many jobs, and only that one does. */
import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';
import type { Handlers } from './handler.js';
import { bury, complete } from '../settle/outcome.js';

const index = defineJob({
  type: 'index',
  payload: z.object({ id: z.int() }),
  result: z.object({ pages: z.int() }),
  progress: z.object({ percent: z.int() }),
  collect: { max: 100, wait: '2s' },
});
const mail = defineJob({ type: 'mail', payload: z.object({ to: z.string() }) });
const catalog = defineCatalog([index, mail]);

export const list: Handlers<typeof catalog> = {
  index: async (jobs, { signal, by }) => {
    signal satisfies AbortSignal;
    by satisfies string | null;
    for (const { payload, run, attempt, fence, meta, signal: own, progress, settle } of jobs) {
      [payload.id, attempt, fence] satisfies number[];
      [run.id, meta?.toString(), own.aborted] satisfies unknown[];
      progress({ percent: 50 });
      settle(complete({ pages: 1 }));
    }
    return jobs.map(({ payload }) => (payload.id === 0 ? bury('zero', 'no such page') : complete({ pages: 1 })));
  },
  mail: ({ payload }) => void payload.to,
};
export const map: Handlers<typeof catalog> = {
  index: async (jobs) => new Map(jobs.map((job) => [job, complete({ pages: 1 })])),
  mail: () => {},
};
export const nothing: Handlers<typeof catalog> = { index: async () => {}, mail: () => {} };

// @ts-expect-error a handler is missing
export const missing: Handlers<typeof catalog> = { mail: () => {} };
export const ofOne: Handlers<typeof catalog> = {
  // @ts-expect-error it gets many jobs
  index: ({ payload }) => void payload,
  mail: () => {},
};
export const ofMany: Handlers<typeof catalog> = {
  index: () => {},
  // @ts-expect-error it gets one job
  mail: (jobs) => void jobs[0],
};
export const oneOutcome: Handlers<typeof catalog> = {
  // @ts-expect-error one outcome for many jobs
  index: () => complete({ pages: 1 }),
  mail: () => {},
};
export const otherResult: Handlers<typeof catalog> = {
  // @ts-expect-error another result than the contract's
  index: (jobs) => jobs.map(() => complete({ words: 1 })),
  mail: () => {},
};

export const added: Handlers<typeof catalog, { tenant: string }> = {
  index: (jobs) => void (jobs[0]!.tenant satisfies string),
  mail: ({ tenant: name }) => void (name satisfies string),
};
