import type { Reencryption } from '@duework/operate';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';

/** `duework reencrypt` */
export function addReencrypt(program: Command, parts: CommandParts): void {
  const { keyRing, oldKeysInRedis, isOnApi, actor, jobs, write, progress, exitWith, onSignal } = parts;
  program
    .command('reencrypt')
    .description('Encrypts stored payloads anew with the first key of DUEWORK_KEYS; needs the database and its keys')
    .option('--with-jobs', 'encrypt also what the module of jobs calls sensitive and is stored in plain text')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'as JSON')
    .action(async ({ withJobs, reason, json }: { withJobs?: true; reason?: string; json?: true }) => {
      if (isOnApi())
        throw new PlainError(
          'needs_database',
          'reencrypt needs DATABASE_URL and DUEWORK_KEYS: an API has no such verb.',
        );
      const ring = keyRing();
      if (ring === null)
        throw new PlainError('key_ring_missing', 'DUEWORK_KEYS is not set: there are no keys to encrypt with.');
      const stopping = new AbortController();
      onSignal(() =>
        stopping.abort(new PlainError('interrupted', 'Interrupted. What is done stays; begin again at any time.')),
      );
      const catalog = withJobs ? (await jobs()).catalog : [];
      const inRedis = await oldKeysInRedis(ring);
      const isInRedis = inRedis !== null && Object.keys(inRedis).length > 0;
      if (isInRedis) exitWith(1);
      const { reencryptPayloads } = await import('./operate-verbs.js');
      const all: Record<string, Reencryption> = {};
      await eachClient(parts, async (db, shard) => {
        const done = await reencryptPayloads(db, ring, {
          catalog,
          act: { by: actor, via: 'command', reason },
          signal: stopping.signal,
          onProgress: ({ checked, rewritten }) => progress(`\r${checked} looked at, ${rewritten} written anew`),
        });
        progress('\n');
        if (!isDone(done)) exitWith(1);
        if (json && shard === null) return write(`${JSON.stringify({ ...done, inRedis }, null, 2)}\n`);
        all[shard ?? ''] = done;
        if (json) return;
        for (const line of linesOf(done, isInRedis)) write(shard === null ? `${line}\n` : `Shard ${shard}: ${line}\n`);
      });
      for (const [key, count] of Object.entries(inRedis ?? {}))
        (json ? progress : write)(
          `${count} jobs of the dedicated queue in Redis need the key ${key}, and are not written anew: keep it until they have ended.\n`,
        );
      if (json && Object.keys(all).length > 0) write(`${JSON.stringify(all, null, 2)}\n`);
    });
}

const isDone = ({ passed, missing }: Reencryption): boolean => passed === 0 && Object.keys(missing).length === 0;

function linesOf(done: Reencryption, isInRedis: boolean): readonly string[] {
  return [
    `${done.checked} payloads looked at, ${done.rewritten} written anew.`,
    ...Object.entries(done.missing).map(
      ([key, count]) => `${count} need the key ${key}, which DUEWORK_KEYS does not have.`,
    ),
    ...(done.passed > 0 ? [`${done.passed} changed or ran meanwhile: run it again.`] : []),
    ...(isDone(done) && !isInRedis ? ['The keys behind the first one are needed no more in this database.'] : []),
  ];
}
