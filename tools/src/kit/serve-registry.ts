import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onEnd } from './clean-up.js';
import type { Packed } from './packed.js';
import { runCommand } from './run-command.js';

export interface LocalRegistry {
  readonly url: string;
  /** What npm and its like are run with. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** A registry on this machine that has the packed packages, and leads to the one that this machine uses for all others. */
export async function serveRegistry(packed: readonly Packed[], dir: string): Promise<LocalRegistry> {
  const upstream = (await runCommand('npm', ['config', 'get', 'registry'], { cwd: dir })).trim().replace(/\/$/, '');
  const known = new Map(packed.map((each) => [each.name, each]));
  const server = createServer(({ url: path = '/' }, answer) => {
    const name = decodeURIComponent(path.slice(1));
    const asked = known.get(name.replace(/\.tgz$/, ''));
    if (asked === undefined) return void answer.writeHead(302, { location: upstream + path }).end();
    if (name.endsWith('.tgz')) return void answer.end(readFileSync(asked.tarball));
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(describe(asked, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = (): void => {
    forget();
    server.close();
    server.closeAllConnections();
  };
  const forget = onEnd(stop);
  return { url, env: { npm_config_registry: `${url}/`, npm_config_prefer_offline: 'true' }, stop };
}

/** What a registry says of a package. */
function describe({ name, manifest, tarball }: Packed, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const version = { ...manifest, dist: { tarball: `${url}/${encodeURIComponent(name)}.tgz`, integrity } };
  return { name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } };
}
