import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** The entries of the package, and the rooms of this workspace that they are made of. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  index: ['@duework/contracts', '@duework/queue-core'],
  adapters: ['@duework/queue-core/adapters'],
  migrate: ['@duework/database/migrate'],
  testing: ['@duework/testing/kit'],
  worker: ['@duework/worker'],
};
const ROOMS = ['contracts', 'database', 'queue-core', 'testing', 'worker'];

/** Installs `duework` in a project as its rooms are built, without the bundle, which has checks of its own. */
export function installDuework(dir: string): void {
  const place = join(dir, 'node_modules/duework');
  mkdirSync(join(place, 'node_modules/@duework'), { recursive: true });
  for (const room of ROOMS)
    symlinkSync(join(root, 'packages', room), join(place, 'node_modules/@duework', room), 'junction');
  const exports = Object.keys(ENTRIES).map((name) => [name === 'index' ? '.' : `./${name}`, `./${name}.js`]);
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name: 'duework', version: '0.1.0', type: 'module', exports: Object.fromEntries(exports) }),
  );
  for (const [name, rooms] of Object.entries(ENTRIES))
    for (const extension of ['js', 'd.ts'])
      writeFileSync(join(place, `${name}.${extension}`), rooms.map((room) => `export * from '${room}';\n`).join(''));
}
