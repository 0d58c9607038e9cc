import type * as Bullmq from '@duework/bullmq';
import type * as Outbox from '@duework/bullmq/outbox';
import { OptionsError } from '../settings/options-error.js';
import type { Settings } from '../settings/settings.js';

/** The Redis with the dedicated queue, and what works on it. */
export interface RedisParts {
  readonly url: string;
  /** undefined: the usual one. */
  readonly prefix: string | undefined;
  readonly bullmq: typeof Bullmq;
  readonly outbox: typeof Outbox;
}

/**
 * What works on the dedicated queue; null when there is none. It needs what a worker otherwise does without.
 *
 * @throws OptionsError when something of it is not installed
 */
export async function loadRedis({
  dueworkRedisUrl: url,
  dueworkRedisPrefix: prefix,
}: Pick<Settings, 'dueworkRedisUrl' | 'dueworkRedisPrefix'>): Promise<RedisParts | null> {
  if (url === undefined) return null;
  const [bullmq, outbox] = await Promise.all([
    // a bundler takes an import that may fail for one whose package need not be there
    import('@duework/bullmq').catch(tellMissing),
    import('@duework/bullmq/outbox').catch(tellMissing),
  ]);
  return { url, prefix, bullmq, outbox };
}

function tellMissing(error: unknown): never {
  // the second is what a CommonJS build of this file gets
  const codes: unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
  if (!codes.includes((error as NodeJS.ErrnoException).code)) throw error;
  throw new OptionsError([
    'DUEWORK_REDIS_URL needs @duework/bullmq, bullmq and ioredis, which are not all installed. Run: npm install @duework/bullmq bullmq ioredis',
  ]);
}
