import { join } from 'node:path';
import type { Catalog } from '@duework/contracts';
import type { KeyRing } from '@duework/queue-core';
import { importInstalled } from '@duework/queue-core/handling';
import { PlainError } from '../plain-error.js';
import { sayInstall } from '../project/install-command.js';

/** What `reencryptJobs` of @duework/bullmq answers. */
export interface RedisReencryption {
  readonly checked: number;
  readonly rewritten: number;
  readonly passed: number;
  readonly running: readonly string[];
  readonly missing: Readonly<Record<string, number>>;
}

export interface RedisOptions {
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly checked: number; readonly rewritten: number }) => void;
}

/** The part of @duework/bullmq that is used; it is loaded from the project. */
interface BullmqPackage {
  readonly connectRedis: (url: string) => { readonly connection: unknown; check(): Promise<void>; close(): void };
  readonly reencryptJobs: (place: object, ring: KeyRing, options: RedisOptions) => Promise<RedisReencryption>;
}

/**
 * Encrypts anew what the jobs of a dedicated queue have encrypted.
 *
 * @throws PlainError `not_installed`; DueworkError `redis_away`; the reason of the signal
 */
export async function reencryptInRedis(
  dir: string,
  { url, prefix }: { readonly url: string; readonly prefix: string | undefined },
  ring: KeyRing,
  options: RedisOptions,
): Promise<RedisReencryption> {
  const bullmq = await importInstalled<BullmqPackage>(join(dir, 'package.json'), '@duework/bullmq', '.');
  if (bullmq === undefined)
    throw new PlainError(
      'not_installed',
      `DUEWORK_REDIS_URL is set, and its jobs cannot be encrypted anew without: ${sayInstall(dir, ['@duework/bullmq'], { isDev: false })}`,
    );
  const { connection, check, close } = bullmq.connectRedis(url);
  try {
    await check();
    return await bullmq.reencryptJobs({ connection, ...(prefix === undefined ? {} : { prefix }) }, ring, options);
  } finally {
    close();
  }
}
