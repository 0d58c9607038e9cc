import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../bootstrap/paths.mjs';
import type { Manifest, Packed } from './packed.js';
import { runCommand } from './run-command.js';

/** The packages that are published, by their folder below packages/. */
export const PUBLISHED: readonly string[] = [
  'duework',
  'contracts',
  'client',
  'embedded',
  'http',
  'otel',
  'bullmq',
  'create-duework',
];

/**
 * Packs them as `pnpm publish` would, and unpacks them again.
 *
 * @param dir gets the tarballs
 * @param from the folder of the repository, or of a copy that is built
 */
export async function packPackages(dir: string, pnpmDir: string, from = root): Promise<Packed[]> {
  const packed: Packed[] = [];
  for (const name of PUBLISHED) {
    const to = join(dir, 'packed', name);
    mkdirSync(to, { recursive: true });
    await runCommand(join(pnpmDir, 'pnpm'), ['pack', '--pack-destination', to], { cwd: join(from, 'packages', name) });
    const tarball = join(
      to,
      readdirSync(to).find((file) => file.endsWith('.tgz'))!,
    );
    await runCommand('tar', ['-xzf', tarball, '-C', to], { cwd: to });
    const folder = join(to, 'package');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    packed.push({
      name: manifest.name,
      tarball,
      tarballBytes: statSync(tarball).size,
      folder,
      files: listFiles(folder),
      manifest,
    });
  }
  return packed;
}

function listFiles(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path), bytes: statSync(path).size }));
}
