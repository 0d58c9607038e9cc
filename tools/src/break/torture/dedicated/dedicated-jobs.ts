import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

const common = {
  payload: z.object({ n: z.int() }),
  retry: fixed('100ms'),
  maxAttempts: 100,
  lease: '2s',
  timeout: '20s',
} as const;

/** A job that takes some milliseconds. */
export const note = defineJob({ type: 'note', ...common });
/** A job that sends a mail once: where nobody knows whether it has left, the job is dead and asks a person. */
export const mail = defineJob({ type: 'mail', ...common });
export const dedicatedCatalog = defineCatalog([note, mail]);

/** A line that a worker has written to its file, with the write that the system keeps when the worker is killed. */
export type WitnessLine =
  | { readonly kind: 'begun'; readonly id: string; readonly fence: number }
  | { readonly kind: 'succeeded'; readonly id: string; readonly fence: number; readonly atMs: number }
  | { readonly kind: 'mailed'; readonly n: number };
