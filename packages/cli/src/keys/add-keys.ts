import { type ApiKey, type KeyLifetime, SCOPES } from '@duework/operate';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatRows } from '../output/format-rows.js';
import type { Cell } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { PRINTED, REASON } from '../option-words.js';

interface NewKeyOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly type?: readonly string[];
  readonly expires?: string;
  readonly reason?: string;
  readonly json?: true;
}

const collect = (value: string, all: readonly string[] = []): string[] => [...all, value];

/** `duework keys` */
export function addKeys(program: Command, { operations, look, write }: CommandParts): void {
  const keys = program.command('keys').description('Create, list and revoke API keys');
  keys
    .command('list', { isDefault: true })
    .description('List the keys, and when each was last used')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const found = await (await operations()).keys.list();
      if (json) return write(`${JSON.stringify(found, null, 2)}\n`);
      const head = ['NAME', 'ID', 'STATUS', 'CREATED', 'BY', 'EXPIRES', 'LAST USED', 'SCOPES'];
      write(formatRows(head, found, toRow, 'There are no keys. Make one: npx duework keys create', look));
    });
  keys
    .command('create')
    .description('Create a key, and show it once')
    .requiredOption('--name <name>', 'its name, in the audit key:<name>')
    .requiredOption('--scope <scope>', `what it may do; repeat for several: ${SCOPES.join(', ')}`, collect)
    .option('--type <type>', 'limit the whole key to jobs of this type; repeat for several', collect)
    .option('--expires <duration>', 'revoke it after this long: 90d (default: never)')
    .option(...REASON)
    .option(...PRINTED)
    .action(async ({ name, scope, type, expires, reason, json }: NewKeyOptions) => {
      const made = await (
        await operations()
      ).keys.create(
        {
          name,
          scopes: scope.flatMap((scopes) => scopes.split(',')),
          ...(type === undefined ? {} : { types: type }),
          ...(expires === undefined ? {} : { expiresIn: expires as KeyLifetime }),
        },
        reason,
      );
      if (json) return write(`${JSON.stringify(made, null, 2)}\n`);
      const end = made.key.expiresAt === null ? 'until it is revoked' : `until ${formatMoment(made.key.expiresAt)}`;
      write(`${made.text}\n\nThe key ${name} works ${end}. Store it now: it is not shown again.\n`);
    });
  keys
    .command('revoke')
    .description('Revoke a key at once, in every process')
    .argument('<key>', 'the name or id of a key')
    .option(...REASON)
    .option(...PRINTED)
    .action(async (key: string, { reason, json }: { reason?: string; json?: true }) => {
      const revoked = await (await operations()).keys.revoke(key, reason);
      write(json ? `${JSON.stringify(revoked, null, 2)}\n` : `The key ${revoked.name} is revoked.\n`);
    });
}

const toRow = ({ name, id, status, createdAt, createdBy, expiresAt, lastUsedAt, scopes }: ApiKey): Cell[] => [
  name,
  id,
  { text: status, style: status === 'active' ? 'green' : 'dim' },
  formatMoment(createdAt),
  createdBy ?? '',
  expiresAt === null ? 'never' : formatMoment(expiresAt),
  lastUsedAt === null ? 'never' : formatMoment(lastUsedAt),
  scopes.join(' '),
];
