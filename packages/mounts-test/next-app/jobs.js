import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';

export const catalog = defineCatalog([defineJob({ type: 'echo', payload: z.object({ n: z.int() }) })]);
