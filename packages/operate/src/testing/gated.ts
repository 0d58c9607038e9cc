import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { z } from 'zod';

const base = { payload: z.object({ n: z.int(), account: z.int() }), retry: fixed('1ms'), lease: '30s' as const };

/** Contracts with flow control, for the tests of what operators do with their runs. */
export const mail = defineJob({ ...base, type: 'mail', limits: [{ name: 'smtp', max: 1 }] });
/** Of another type, behind the same limit. */
export const letter = defineJob({ ...base, type: 'letter', limits: [{ name: 'smtp', max: 1 }] });
export const each = defineJob({ ...base, type: 'each', limits: [{ by: 'account', max: 1 }] });
export const book = defineJob({ ...base, type: 'book', order: { by: 'account', onDead: 'block' } });
export const call = defineJob({ ...base, type: 'call', rate: { max: 1, per: '1h', burst: 1 } });
export const fragile = defineJob({ ...base, type: 'fragile', breaker: { share: 0.5, of: 2, pause: '1h' } });
export const shared = defineJob({ ...base, type: 'shared', tenant: 'account' });
/** In an order, and behind a limit. */
export const narrow = defineJob({ ...base, type: 'narrow', order: 'account', limits: [{ max: 1 }] });

export const gatedCatalog = defineCatalog([mail, letter, each, book, call, fragile, shared, narrow]);
