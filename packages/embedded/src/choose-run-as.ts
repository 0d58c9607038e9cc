/**
 * PostgreSQL refuses to run as root, so for root it runs as the OS user "postgres". That user often cannot enter the
 * project, because root's home has mode 700. util-linux's setpriv can let it pass through such folders; this privilege
 * (to ignore file modes) is given only where it is needed.
 */
import { spawnSync } from 'node:child_process';
import { DatabaseError } from '@duework/database/migrate';
import { ensureOsUser, type OsUser } from './ensure-os-user.js';

/** The user that runs PostgreSQL's programs. */
export interface RunAs {
  /** Who must own the data, when it is not the current user. */
  readonly owner: OsUser | undefined;
  /** Put before a program and its arguments; when it is empty and there is an owner, spawn sets the uid and gid. */
  readonly prefix: readonly string[];
}

const osUser = 'postgres';

const setpriv: readonly string[] = [
  'setpriv',
  `--reuid=${osUser}`,
  `--regid=${osUser}`,
  '--clear-groups',
  '--inh-caps=+dac_read_search,+dac_override',
  '--ambient-caps=+dac_read_search,+dac_override',
  '--securebits=+no_setuid_fixup',
];

/** Whether a command works that starts the program and enters the folder. */
function canUse(prefix: readonly string[], user: OsUser | object, program: string, dir: string): boolean {
  return [
    [program, '--version'],
    ['/bin/sh', '-c', 'cd "$0"', dir],
  ].every((wanted) => {
    const [command, ...args] = [...prefix, ...wanted] as [string, ...string[]];
    return spawnSync(command, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
  });
}

/**
 * Chooses the current user, or "postgres" for root.
 *
 * @param dir - the folder that this user has to be able to enter
 * @throws DatabaseError `embedded_unavailable` when there is no such user, or it cannot enter the folder
 */
export function chooseRunAs(program: string, dir: string): RunAs {
  if (process.getuid?.() !== 0) return { owner: undefined, prefix: [] };
  const owner = ensureOsUser(osUser);
  if (canUse([], owner, program, dir)) return { owner, prefix: [] };
  if (canUse(setpriv, {}, program, dir)) return { owner, prefix: setpriv };
  throw new DatabaseError('embedded_unavailable', {
    problem: `PostgreSQL does not run as root, and the OS user "${osUser}" cannot reach ${dir}.`,
    fix: 'Move the project to a folder that everybody may enter, or set DATABASE_URL to a PostgreSQL of your own.',
  });
}
