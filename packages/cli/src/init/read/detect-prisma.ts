import { posix } from 'node:path';
import type { PrismaClientFacts, ProjectFiles } from '../project.js';
import type { PackageJson } from './read-package-json.js';

const USUAL = ['prisma/schema.prisma', 'schema.prisma', 'prisma/schema/schema.prisma', 'src/prisma/schema.prisma'];

/**
 * Where the generated client is: what Prisma's schema says. Without a schema, what that version makes by default.
 *
 * @param version - the range in package.json
 */
export function detectPrisma({ read }: ProjectFiles, json: PackageJson, version: string): PrismaClientFacts {
  const isBefore7 = Number(/\d+/.exec(version)?.[0] ?? 7) < 7;
  const configured = /\bschema\s*:\s*(?:path\.join\()?['"]([^'"]+\.prisma)['"]/.exec(
    read('prisma.config.ts') ?? read('prisma.config.js') ?? '',
  )?.[1];
  for (const path of [configured, json.prisma?.schema, ...USUAL]) {
    const schema = path === undefined ? undefined : read(path);
    const generator = /^\s*generator\s+\w+\s*\{([^}]*)\}/m.exec(schema ?? '')?.[1];
    if (path === undefined || generator === undefined) continue;
    const isNewGenerator = valueOf(generator, 'provider') === 'prisma-client';
    const output = valueOf(generator, 'output');
    if (output === undefined) break;
    return {
      isBefore7,
      module: { path: posix.join(posix.dirname(path), output, isNewGenerator ? 'client' : 'index') },
    };
  }
  return { isBefore7, module: { name: '@prisma/client' } };
}

const valueOf = (block: string, key: string): string | undefined =>
  new RegExp(`^\\s*${key}\\s*=\\s*"([^"]*)"`, 'm').exec(block)?.[1];
