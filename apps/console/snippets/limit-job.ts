import { defineJob } from 'duework';
import { z } from 'zod';

export const sendNews = defineJob({
  type: 'send_news',
  payload: z.object({ accountId: z.string() }),
  limits: [{ name: 'smtp', max: 5 }],
  rate: { max: 100, per: '1m' },
  tenant: 'accountId',
});
