import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';

const payload = z.object({ id: z.int(), to: z.string() });

/** The job of the benchmark. */
export const sendMail = defineJob({ type: 'send_mail', payload });

/** The same with a key. */
export const sendOnce = defineJob({ type: 'send_once', payload, idempotencyKey: ({ id }) => `mail:${id}` });

/** The same with a limit, so that it waits in a line. */
export const sendInLine = defineJob({ type: 'send_in_line', payload, limits: [{ by: 'to', max: 5 }] });

/** The same, one at a time for each receiver. */
export const sendAlone = defineJob({ type: 'send_alone', payload, limits: [{ by: 'to', max: 1 }] });

export const catalog = defineCatalog([sendMail, sendOnce, sendInLine]);

let lastId = 1_000_000;

/** A payload with an id of its own, of as many digits as all others. */
export const nextPayload = (): { readonly id: number; readonly to: string } => ({
  id: (lastId += 1),
  to: 'a@example.com',
});
