/** `npm run release -- dry`: a release as far as it goes without publishing anything. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import Table from 'cli-table3';
import { root } from '../../../bootstrap/paths.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { findGitRefusals, hasChangesets } from './find-git-refusals.js';
import { type Publishable, publishDry } from './publish-dry.js';
import { refuseFor } from './refuse-for.js';
import { rehearseRelease } from './rehearse-release.js';

const inKb = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** The files of each package, and a table of what would be published. */
function tellPublishable(packages: readonly Publishable[]): string {
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

const SUMMARY = `Takes a copy of what is committed, gives it its next version, builds and packs it, and shows what npm would publish of it. Nothing is sent and nothing here changes. Exit code 1, with the reasons: it is not ready.`;

const NOTHING_NEW = 'All changesets are empty: no user sees a change.\n';

const program = createProgram('release dry', SUMMARY)
  .option('--to <folder>', 'leaves the tarballs there')
  .option('--tag <tag>', 'the tag that is about to be published: it has to be that of the version');

await runProgram(program, async () => {
  cleanUpAtExit();
  const { to, tag } = program.opts<{ to?: string; tag?: string }>();
  const isVersioned = !hasChangesets(root);
  refuseFor(await findGitRefusals(root, tag));
  const dir = mkdtempSync(join(tmpdir(), 'duework-release-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const packed = await rehearseRelease(dir, { isVersioned });
    const packages: Publishable[] = [];
    for (const each of packed) packages.push(await publishDry(each));
    if (to !== undefined) for (const { tarball } of packed) cpSync(tarball, resolve(to, basename(tarball)));
    process.stdout.write(`${packed.length === 0 ? NOTHING_NEW : tellPublishable(packages)}Nothing was published.\n`);
    return 0;
  } finally {
    remove();
  }
});
