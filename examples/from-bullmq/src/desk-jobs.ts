import { defineJob } from 'duework';
import { z } from 'zod';

const desk = { queue: 'desk', payload: z.object({}), maxAttempts: 1 } as const;
export const byHand = defineJob({ ...desk, type: 'by_hand', payload: z.object({ n: z.int() }), result: z.int() });
export const later = defineJob({ ...desk, type: 'later' });
export const logged = defineJob({ ...desk, type: 'logged', keepLogs: true });
export const shut = defineJob({ ...desk, type: 'shut', result: z.boolean() });
