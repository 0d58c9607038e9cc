import type { Reencryption } from '@duework/operate';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';
import type { RedisReencryption } from './reencrypt-in-redis.js';
import { PRINTED, REASON } from '../option-words.js';

/** `duework reencrypt` */
export function addReencrypt(program: Command, parts: CommandParts): void {
  const { keyRing, reencryptInRedis, isOnApi, actor, jobs, write, progress, exitWith, onSignal } = parts;
  program
    .command('reencrypt')
    .description('Encrypt stored payloads again with the first key of DUEWORK_KEYS; needs the database')
    .option('--with-jobs', 'also encrypt values that your jobs module calls sensitive and that are in plain text')
    .option(...REASON)
    .option(...PRINTED)
    .action(async ({ withJobs, reason, json }: { withJobs?: true; reason?: string; json?: true }) => {
      if (isOnApi())
        throw new PlainError(
          'needs_database',
          'reencrypt needs DATABASE_URL and DUEWORK_KEYS: it does not work through an API.',
        );
      const ring = keyRing();
      if (ring === null)
        throw new PlainError('key_ring_missing', 'DUEWORK_KEYS is not set: there are no keys to encrypt with.');
      const stopping = new AbortController();
      onSignal(() =>
        stopping.abort(new PlainError('interrupted', 'Interrupted. What is done stays; begin again at any time.')),
      );
      const catalog = withJobs ? (await jobs()).catalog : [];
      const onProgress = ({ checked, rewritten }: Pick<Reencryption, 'checked' | 'rewritten'>): void =>
        progress(`\r${checked} looked at, ${rewritten} written anew`);
      const { reencryptPayloads } = await import('./operate-verbs.js');
      const all: Record<string, Reencryption> = {};
      let single: Reencryption | undefined;
      await eachClient(parts, async (db, shard) => {
        const done = await reencryptPayloads(db, ring, {
          catalog,
          act: { by: actor, via: 'command', reason },
          signal: stopping.signal,
          onProgress,
        });
        progress('\n');
        if (!isDone(done)) exitWith(1);
        if (shard === null) single = done;
        else all[shard] = done;
        if (json) return;
        const lines = linesOf(done, 'database');
        for (const line of lines) write(shard === null ? `${line}\n` : `Shard ${shard}: ${line}\n`);
      });
      // after the tables: what was carried to Redis meanwhile is there now
      const inRedis = await reencryptInRedis(ring, { catalog, signal: stopping.signal, onProgress });
      if (inRedis !== null) progress('\n');
      if (inRedis !== null && !isDone(inRedis)) exitWith(1);
      if (json) write(`${JSON.stringify({ ...(single ?? all), ...(inRedis && { inRedis }) }, null, 2)}\n`);
      else if (inRedis !== null) for (const line of linesOf(inRedis, 'queue')) write(`Redis: ${line}\n`);
    });
}

type Done = Reencryption & Partial<Pick<RedisReencryption, 'running'>>;

const isDone = ({ passed, missing, running = [] }: Done): boolean =>
  passed === 0 && running.length === 0 && Object.keys(missing).length === 0;

function linesOf(done: Done, where: 'database' | 'queue'): readonly string[] {
  const { running = [] } = done;
  return [
    `${done.checked} payloads looked at, ${done.rewritten} written anew.`,
    ...Object.entries(done.missing).map(
      ([key, count]) => `${count} need the key ${key}, which DUEWORK_KEYS does not have.`,
    ),
    ...(done.passed > 0 ? [`${done.passed} changed or ran meanwhile: run it again.`] : []),
    ...(running.length > 0
      ? [`${running.length} run now, and keep their key to their end: ${running.join(', ')}. Run it again.`]
      : []),
    ...(isDone(done) ? [`The keys behind the first one are needed no more in this ${where}.`] : []),
  ];
}
