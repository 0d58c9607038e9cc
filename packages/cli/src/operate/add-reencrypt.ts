import { reencryptPayloads } from '@duework/operate';
import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';

/** `duework reencrypt` */
export function addReencrypt(program: Command, parts: CommandParts): void {
  const { db, keyRing, isOnApi, actor, jobs, write, progress, exitWith, onSignal } = parts;
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
      const done = await reencryptPayloads(await db(), ring, {
        catalog,
        act: { by: actor, via: 'command', reason },
        signal: stopping.signal,
        onProgress: ({ checked, rewritten }) => progress(`\r${checked} looked at, ${rewritten} written anew`),
      });
      progress('\n');
      const missing = Object.entries(done.missing);
      if (done.passed > 0 || missing.length > 0) exitWith(1);
      if (json) return write(`${JSON.stringify(done, null, 2)}\n`);
      write(`${done.checked} payloads looked at, ${done.rewritten} written anew.\n`);
      for (const [key, count] of missing) write(`${count} need the key ${key}, which DUEWORK_KEYS does not have.\n`);
      if (done.passed > 0) write(`${done.passed} changed or ran meanwhile: run it again.\n`);
      if (done.passed === 0 && missing.length === 0) write('The keys behind the first one are needed no more.\n');
    });
}
