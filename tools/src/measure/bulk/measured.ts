import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';

const payload = z.object({ n: z.int() });

/** Normal work, whose waiting is measured. */
export const normal = defineJob({ type: 'normal', payload });
/** What has died, and is retried; in the same queue, so that it competes. */
export const revived = defineJob({ type: 'revived', payload });
export const catalog = defineCatalog([normal, revived]);
