import { parseDatabaseUrl } from '@duework/database';
import {
  ABILITIES,
  DUEWORK_ROLES,
  type Ability,
  type DueworkRole,
  type RoleAbilities,
} from '@duework/database/migrate';
import { Option, type Command } from 'commander';
import { formatTable } from '../output/format-table.js';
import { FINDING } from '../exit-codes.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachDatabase } from '../shards/each-database.js';

interface Given {
  readonly apply?: true;
  readonly grant?: DueworkRole;
  readonly to?: string;
  readonly check?: string | true;
  readonly for?: readonly Ability[];
  readonly json?: true;
}

/** `duework roles` */
export function addRoles(program: Command, parts: CommandParts): void {
  const { write, look, exitWith } = parts;
  const show = ({ role, abilities }: RoleAbilities): void => {
    const rows = abilities.map(({ ability, isAllowed, lacks, fix }) => [
      ability,
      isAllowed ? 'yes' : 'no',
      isAllowed ? '' : `${lacks}. ${fix}`,
    ]);
    write(formatTable([JSON.stringify(role), 'MAY', ''], rows, '', look));
  };
  const check = async (url: string, { check: named, for: wanted, json }: Given): Promise<void> => {
    const { checkRole } = await import('../migrate/migration-verbs.js');
    const found = await checkRole({ url, role: named === true ? undefined : named });
    const asked = found.abilities.filter(({ ability }) => wanted?.includes(ability) ?? true);
    const isEnough = wanted === undefined ? asked.some(isAllowed) : asked.every(isAllowed);
    if (!isEnough) exitWith(FINDING);
    if (json) return write(`${JSON.stringify({ ...found, abilities: asked }, null, 2)}\n`);
    show({ ...found, abilities: asked });
  };
  program
    .command('roles')
    .description('Print the SQL of the database roles, apply it, grant a role, or check what one may do')
    .addOption(new Option('--apply', 'create the roles, and give them their rights').conflicts(['grant', 'check']))
    .addOption(
      new Option('--grant <role>', 'grant this one to the role of --to').choices(DUEWORK_ROLES).conflicts('check'),
    )
    .option('--to <role>', 'the role of a program or a person')
    .option('--check [role]', 'show what a role may do (default: yours); exit code 3: nothing')
    .addOption(
      new Option('--for <abilities...>', 'with --check: exit code 3 unless it may do all of these').choices(
        Object.keys(ABILITIES),
      ),
    )
    .option('--json', 'print JSON, with --check')
    .action(async (given: Given) => {
      const { apply, grant, to, check: checked } = given;
      if ((grant === undefined) !== (to === undefined))
        throw new PlainError('invalid_option', '--grant and --to go together: --grant duework_worker --to my_role');
      if (given.for !== undefined && checked === undefined)
        throw new PlainError('invalid_option', '--for needs --check.');
      if (checked !== undefined) return eachDatabase(parts, (url) => check(url, given));
      const { applyRoles, grantRole, printRoles } = await import('../migrate/migration-verbs.js');
      if (grant !== undefined && to !== undefined)
        return eachDatabase(parts, async (url) => show(await grantRole({ url, role: grant, to })));
      if (!apply) return write(printRoles());
      return eachDatabase(parts, async (url) => {
        await applyRoles({ url });
        write(`${parseDatabaseUrl(url).label}: ${DUEWORK_ROLES.join(', ')} have their rights.\n`);
      });
    });
}

const isAllowed = (one: { readonly isAllowed: boolean }): boolean => one.isAllowed;
