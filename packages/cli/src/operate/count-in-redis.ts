import { join } from 'node:path';
import type { KeyRing } from '@duework/queue-core';
import { importInstalled } from '@duework/queue-core/handling';
import { PlainError } from '../plain-error.js';
import { sayInstall } from '../project/install-command.js';

/** The part of @duework/bullmq that is used; it is loaded from the project. */
interface BullmqPackage {
  readonly connectRedis: (url: string) => { readonly connection: unknown; check(): Promise<void>; close(): void };
  readonly countOldKeys: (place: object, ring: KeyRing) => Promise<Readonly<Record<string, number>>>;
}

/**
 * How many jobs of a dedicated queue need each key that is not the current one.
 *
 * @throws PlainError `not_installed`; DueworkError `redis_away`
 */
export async function countInRedis(
  dir: string,
  { url, prefix }: { readonly url: string; readonly prefix: string | undefined },
  ring: KeyRing,
): Promise<Readonly<Record<string, number>>> {
  const bullmq = await importInstalled<BullmqPackage>(join(dir, 'package.json'), '@duework/bullmq', '.');
  if (bullmq === undefined)
    throw new PlainError(
      'not_installed',
      `REDIS_URL is set, and its jobs cannot be counted without: ${sayInstall(dir, ['@duework/bullmq'], { isDev: false })}`,
    );
  const { connection, check, close } = bullmq.connectRedis(url);
  try {
    await check();
    return await bullmq.countOldKeys({ connection, ...(prefix === undefined ? {} : { prefix }) }, ring);
  } finally {
    close();
  }
}
