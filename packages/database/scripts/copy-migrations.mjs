/** Ships prisma/ inside dist, so that a deployed folder can check and migrate a database without the source tree. */
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../../../prisma');
const target = join(here, '../dist/prisma');

rmSync(target, { recursive: true, force: true });
cpSync(join(source, 'migrations'), join(target, 'migrations'), { recursive: true });
cpSync(join(source, 'schema.prisma'), join(target, 'schema.prisma'));
