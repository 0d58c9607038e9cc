import { spawnSync } from 'node:child_process';
import { DatabaseError } from '@duework/database/migrate';

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

function findOsUser(name: string): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * The OS user of that name, created when it is missing. Only root can create one.
 *
 * @throws DatabaseError `embedded_unavailable`
 */
export function ensureOsUser(name: string): OsUser {
  const found = findOsUser(name);
  if (found !== undefined) return found;

  const run = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  // The first command of each pair exists everywhere but on Alpine.
  if (!run('groupadd', '--system', name)) run('addgroup', '-S', name);
  if (!run('useradd', '--system', '--no-create-home', '--gid', name, name))
    run('adduser', '-S', '-D', '-H', '-G', name, name);

  const made = findOsUser(name);
  if (made !== undefined) return made;
  throw new DatabaseError('embedded_unavailable', {
    problem: `PostgreSQL does not run as root, and the OS user "${name}" cannot be created.`,
    fix: 'Start as another user, or set DATABASE_URL to a PostgreSQL of your own.',
  });
}
