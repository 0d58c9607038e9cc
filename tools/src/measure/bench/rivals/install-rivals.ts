import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../../bootstrap/npm-command.mjs';
import { runLogged } from '../../../../bootstrap/run-logged.mjs';
import { showProgress } from '../../../../bootstrap/show-progress.mjs';
import { findRedisVersion } from '../../../kit/servers/start-redis.js';
import type { System } from '../systems/system.js';
import { readRivalVersion, rivalsDir } from './import-rival.js';

/** What the workspace does not have, in exact versions, so that a run can be repeated; the last two draw the chart. */
export const RIVALS = {
  '@dbos-inc/dbos-sdk': '5.3.0',
  vega: '6.4.0',
  'vega-lite': '6.5.0',
};

const NO_REDIS =
  'BullMQ is left out: there is no redis-server on PATH. Debian: apt-get install redis-server; macOS: brew install redis.';

export interface InstalledRivals {
  /** The systems that can be measured. */
  readonly systems: readonly System[];
  /** A sentence for each system that cannot be measured, with the reason. */
  readonly missing: readonly string[];
}

const isApart = ({ rival }: System): boolean => rival !== undefined && rival in RIVALS;

/**
 * Installs the rival that the workspace does not have, and the packages that draw charts. What cannot be installed is left
 * out, with a sentence.
 */
export async function installRivals(
  wanted: readonly System[],
  { isChartWanted }: { readonly isChartWanted: boolean },
): Promise<InstalledRivals> {
  const hasRedis = findRedisVersion() !== undefined;
  const missing = !hasRedis && wanted.some(({ server }) => server === 'redis') ? [NO_REDIS] : [];
  const possible = wanted.filter(({ server }) => server !== 'redis' || hasRedis);
  const isNothingNeeded = !isChartWanted && !possible.some(isApart);
  if (isNothingNeeded || isInstalled()) return { systems: possible, missing };
  try {
    await install();
    return { systems: possible, missing };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      systems: possible.filter((system) => !isApart(system)),
      missing: [...missing, `DBOS is left out, because npm could not install it. Is its registry reachable?\n${why}`],
    };
  }
}

const isInstalled = (): boolean =>
  Object.entries(RIVALS).every(([name, version]) => readRivalVersion(name) === version);

async function install(): Promise<void> {
  mkdirSync(rivalsDir, { recursive: true });
  // a package.json of its own keeps npm from reading the project's
  writeFileSync(join(rivalsDir, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  const names = Object.entries(RIVALS).map(([name, version]) => `${name}@${version}`);
  await showProgress('Installing the rivals', () =>
    runLogged({
      name: 'install-rivals',
      command: npm.command,
      args: [...npm.args, 'install', '--prefix', rivalsDir, '--no-audit', '--no-fund', '--no-save', ...names],
    }),
  );
}
