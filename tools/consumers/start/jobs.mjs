import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

export const greet = defineJob({ type: 'greet', payload: z.object({ name: z.string() }) });
export const catalog = defineCatalog([greet]);
