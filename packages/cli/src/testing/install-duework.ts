import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** Installs `duework` in a project as users get it. A copy, because what it needs of others is the project's. */
export function installDuework(dir: string): void {
  cpSync(join(root, 'packages/duework/dist/publish'), join(dir, 'node_modules/duework'), { recursive: true });
}
