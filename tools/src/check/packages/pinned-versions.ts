/**
 * What the empty folders get besides the packages, each in one version: those that the workspace has are read from its
 * catalog, the others are here. Node's are the newest of each line that `engines` allows, besides the one that runs this.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../bootstrap/paths.mjs';

export const NODES: readonly string[] = ['20.20.2', '22.23.3', '24.21.0', '26.12.1'];

/** pnpm 11 does not start on the oldest. */
export const NODE_OF_PNPM_11 = NODES[1]!;

/** The package with nothing but the program `bin/node` of one version, for this system. */
export const nodePackage = (version: string): string =>
  `npm:node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@${version}`;

/** TypeScript, the oldest first; the last one is the workspace's own. */
export const TYPESCRIPTS: readonly string[] = ['5.4.5', '5.9.3', fromCatalog('typescript')];

/** What installs a workspace besides the pnpm of this one; yarn's first line and its newest. */
export const MANAGERS = {
  'pnpm 11': 'pnpm@11.28.10',
  'pnpm 10': 'pnpm@10.34.8',
  npm: null,
  'yarn 1': 'yarn@1.22.22',
  'yarn 4': '@yarnpkg/cli-dist@4.18.1',
} as const;

export const VERSIONS = {
  '@prisma/adapter-pg': fromCatalog('@prisma/adapter-pg'),
  '@prisma/client': fromCatalog('@prisma/client'),
  '@opentelemetry/api': fromCatalog('@opentelemetry/api'),
  '@opentelemetry/sdk-trace-node': fromCatalog('@opentelemetry/sdk-trace-node'),
  '@swc/core': fromCatalog('@swc/core'),
  '@swc/jest': fromCatalog('@swc/jest'),
  '@types/jest': '30.0.0',
  '@types/node': fromCatalog('@types/node'),
  '@types/pg': fromCatalog('@types/pg'),
  '@types/react': fromCatalog('@types/react'),
  bullmq: fromCatalog('bullmq'),
  ioredis: fromCatalog('ioredis'),
  jest: fromCatalog('jest'),
  pg: fromCatalog('pg'),
  react: fromCatalog('react'),
  'ts-jest': '29.4.15',
  tsup: '9.0.0',
  turbo: fromCatalog('turbo'),
  typescript: '5.9.3',
  vitest: fromCatalog('vitest'),
  zod: fromCatalog('zod'),
} as const;

export type Pinned = keyof typeof VERSIONS;

function fromCatalog(name: string): string {
  const text = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const version = new RegExp(`^  '?${name.replaceAll('/', '\\/')}'?: (\\S+)$`, 'm').exec(text)?.[1];
  if (version === undefined) throw new Error(`The catalog has no ${name}.`);
  return version;
}
