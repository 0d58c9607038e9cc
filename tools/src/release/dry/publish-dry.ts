import { npmCommand } from '../../../bootstrap/npm-command.mjs';
import type { Packed } from '../../kit/packed.js';
import { runCommand } from '../../kit/run-command.js';

/** What npm says that it would publish. */
export interface Publishable {
  readonly name: string;
  readonly version: string;
  /** Of the tarball, in bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** `npm publish --dry-run`, which needs no account and sends nothing. Provenance is of the workflow, and no part of it. */
export async function publishDry({ tarball, name, folder }: Packed): Promise<Publishable> {
  const npm = npmCommand();
  const args = [...npm.args, 'publish', tarball, '--dry-run', '--provenance=false', '--json', '--loglevel=error'];
  const answer = JSON.parse(await runCommand(npm.command, args, { cwd: folder })) as
    | Publishable
    | Record<string, Publishable>;
  return name in answer ? (answer as Record<string, Publishable>)[name]! : (answer as Publishable);
}
