import Table from 'cli-table3';
import type { Publishable } from './publish-dry.js';

const inKb = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** The files of each package, and a table of what would be published. */
export function tellPublishable(packages: readonly Publishable[]): string {
  const table = new Table({
    head: ['package', 'version', 'files', 'packed, kB', 'unpacked, kB'],
    style: { head: [], border: [] },
  });
  for (const { name, version, files, size, unpackedSize } of packages)
    table.push([name, version, files.length, inKb(size), inKb(unpackedSize)]);
  const lists = packages.map(
    ({ name, files }) =>
      `${name}\n${files.map(({ path, size }) => `  ${inKb(size).padStart(7)} kB  ${path}`).join('\n')}\n`,
  );
  return `${lists.join('\n')}\n${table.toString()}\n`;
}
