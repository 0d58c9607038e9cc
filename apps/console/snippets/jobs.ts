/** What the other snippets import: the reader's own contracts and handlers. No page shows it. */
import { complete, defineCatalog, defineJob, type Handlers } from 'duework';
import { z } from 'zod';
import { sendWelcome } from './define-job.js';

export { sendWelcome };
export const sendReport = defineJob({ type: 'send_report', payload: z.object({ day: z.string() }) });
export const sendReminder = defineJob({
  type: 'send_reminder',
  payload: z.object({ accountId: z.string(), userId: z.int(), tags: z.array(z.union([z.string(), z.number()])) }),
});
export const catalog = defineCatalog([sendWelcome, sendReport]);
export const handlers: Handlers<typeof catalog> = {
  send_welcome: () => Promise.resolve(complete()),
  send_report: () => Promise.resolve(complete()),
};
