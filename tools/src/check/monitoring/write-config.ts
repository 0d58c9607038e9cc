import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFile, rulesFile } from './read-expressions.js';
import type { Scraped } from './start-scraped.js';

/** What the example says of two machines, and what is said instead: the ports of this run, and a look every second. */
const hostOf = (address: string): string => new URL(address).host;

/** Puts the example of a configuration into `dir`, with its rules and its key, for these two programs. */
export function writeConfig(dir: string, { apiAddress, workerAddress, key }: Scraped): string {
  const example = readFileSync(exampleFile, 'utf8');
  const config = example
    .replace('127.0.0.1:4600', hostOf(apiAddress))
    .replace('127.0.0.1:4601', hostOf(workerAddress))
    .replaceAll('scrape_interval: 15s', 'scrape_interval: 1s');
  writeFileSync(join(dir, 'prometheus.yml'), `global: { evaluation_interval: 1s }\n${config}`);
  writeFileSync(join(dir, 'duework.key'), key);
  copyFileSync(rulesFile, join(dir, 'duework.rules.yml'));
  return join(dir, 'prometheus.yml');
}
