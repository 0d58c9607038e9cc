/**
 * Prisma's client classes of several versions, as `prisma generate` of each version writes them (with
 * `engineType = "client"` in 6.19) for a schema with one model: the part that runs, without its types. To write one
 * anew: install `prisma` of that version, run `prisma generate` with `PRISMA_SCHEMA_ENGINE_BINARY` set to any executable,
 * and take the configuration from `internal/class.ts`.
 */
import { PrismaClient } from '@duework/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaPg as PrismaPg619 } from 'prisma-adapter-6-19';
import { PrismaPg as PrismaPg70 } from 'prisma-adapter-7-0';
import { PrismaPg as PrismaPg73 } from 'prisma-adapter-7-3';
import * as runtime619 from 'prisma-6-19/runtime/client';
import * as runtime70 from 'prisma-7-0/runtime/client';
import * as runtime73 from 'prisma-7-3/runtime/client';

/** What is the same in all versions. */
export type AnyPrisma = PrismaClient;

// not among the types of Node
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new (bytes: Uint8Array) => object };

/** A version's compiler of queries. */
const compilerOf = (name: string, file: string): object => ({
  getRuntime: () => import(`${name}/runtime/${file}.postgresql.mjs`),
  async getQueryCompilerWasmModule() {
    const { wasm } = (await import(`${name}/runtime/${file}.postgresql.wasm-base64.mjs`)) as { wasm: string };
    return new Module(Buffer.from(wasm, 'base64'));
  },
  importName: `./${file}.js`,
});

const inlineSchema = (url: string): string =>
  `datasource db {\n  provider = "postgresql"\n${url}}\n\nmodel Order {\n  id Int @id\n\n  @@map("orders")\n}\n`;
const common = {
  previewFeatures: [],
  activeProvider: 'postgresql',
  runtimeDataModel: {
    models: { Order: { fields: [{ name: 'id', kind: 'scalar', type: 'Int' }], dbName: 'orders' } },
    enums: {},
    types: {},
  },
};
const config619 = {
  ...common,
  clientVersion: '6.19.3',
  engineVersion: 'c2990dca591cba766e3b7ef5d9e8a84796e47ab7',
  inlineSchema: inlineSchema('  url      = env("DATABASE_URL")\n'),
  compilerWasm: compilerOf('prisma-6-19', 'query_compiler_bg'),
  engineWasm: undefined,
  generator: {
    name: 'client',
    provider: { fromEnvVar: null, value: 'prisma-client' },
    output: { value: '', fromEnvVar: null },
    config: { engineType: 'client' },
    binaryTargets: [],
    previewFeatures: [],
    sourceFilePath: '',
    isCustomOutput: true,
  },
  relativePath: '',
  datasourceNames: ['db'],
  postinstall: false,
  inlineDatasources: { db: { url: { fromEnvVar: 'DATABASE_URL', value: null } } },
  inlineSchemaHash: '',
  copyEngine: true,
  dirname: '',
};
const config70 = {
  ...common,
  clientVersion: '7.0.1',
  engineVersion: 'f09f2815f091dbba658cdcd2264306d88bb5bda6',
  inlineSchema: inlineSchema(''),
  compilerWasm: compilerOf('prisma-7-0', 'query_compiler_bg'),
};
const config73 = {
  ...common,
  clientVersion: '7.3.0',
  engineVersion: '9d6ad21cbbceab97458517b147a6a09ff43aa735',
  inlineSchema: inlineSchema(''),
  compilerWasm: compilerOf('prisma-7-3', 'query_compiler_fast_bg'),
};

type PrismaClass = new (options: { adapter: unknown }) => AnyPrisma;

const Client619 = runtime619.getPrismaClient(config619 as never) as never as PrismaClass;
const Client70 = runtime70.getPrismaClient(config70 as never) as never as PrismaClass;
const Client73 = runtime73.getPrismaClient(config73 as never) as never as PrismaClass;

/** A client of each version. */
export const PRISMA_VERSIONS: Readonly<Record<string, (url: string) => AnyPrisma>> = {
  '6.19': (url) => new Client619({ adapter: new PrismaPg619({ connectionString: url }) }),
  '7.0': (url) => new Client70({ adapter: new PrismaPg70({ connectionString: url }) }),
  '7.3': (url) => new Client73({ adapter: new PrismaPg73({ connectionString: url }) }),
  '7.10': (url) => new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) }),
};
