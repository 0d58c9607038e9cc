/** Ships the migrations inside dist, so that a deployed folder can check and migrate a database without the source tree. */
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const target = fileURLToPath(new URL('../dist/migrations', import.meta.url));

rmSync(target, { recursive: true, force: true });
cpSync(source, target, { recursive: true });
