import { defineJob } from 'duework';
import { z } from 'zod';

export const sendWelcome = defineJob({
  type: 'send_welcome',
  queue: 'mail',
  payload: z.object({ userId: z.int() }),
});
