/**
 * What `prisma migrate` and `prisma db pull` do, by Prisma's own schema engine as WebAssembly: the native one that the
 * command downloads is not needed.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { randomBytes } from 'node:crypto';
import { withDatabaseName, withServer } from '../testing/with-server.js';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { loadSchemaEngine } from './load-schema-engine.js';

/** A folder of prisma/migrations and its migration.sql. */
export type PrismaMigration = readonly [folder: string, sql: string];

export interface PrismaMigrate {
  /** `prisma migrate deploy`; answers the names of what it applied. */
  deploy(migrations: readonly PrismaMigration[]): Promise<readonly string[]>;
  /** The first thing that `prisma migrate dev` asks: 'createMigration', or 'reset' with the reason, which names a drift. */
  diagnose(migrations: readonly PrismaMigration[]): Promise<{ readonly tag: string; readonly reason?: string }>;
  /** What `prisma migrate dev` would write next. */
  writeNext(migrations: readonly PrismaMigration[]): Promise<string>;
  /** `prisma migrate diff --from-config-datasource --to-schema`: what the database has and schema.prisma has not. */
  diff(): Promise<string>;
  /** The models that `prisma db pull` finds. */
  pull(): Promise<readonly string[]>;
  /** `prisma migrate reset`, without applying anything anew. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
interface Answer {
  readonly fields: { dataTypeID: number }[];
  readonly rows: unknown[][];
}

/** The catalog's type "char", and the one of fixed length, which the adapter knows. */
const [CHAR, BPCHAR] = [18, 1042];
const CHARACTER = 6;

/**
 * Two things of the adapter are corrected for the engine, which the native one does itself: it splits a script at every
 * semicolon, also inside a function's body, and does not know the catalog's type "char".
 */
function correct(adapter: Adapter): Adapter {
  adapter.executeScript = async (script) => {
    try {
      await adapter.underlyingDriver().query(script);
    } catch (error) {
      adapter['onError'](error);
    }
  };
  // the engine asks one thing after the other
  let characters: readonly number[] = [];
  const ask = (adapter['performIO'] as (query: unknown) => Promise<Answer>).bind(adapter);
  const askWithChar = async (query: unknown): Promise<Answer> => {
    const answer = await ask(query);
    characters = answer.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === CHAR ? [index] : []));
    for (const index of characters) {
      (answer.fields[index] as { dataTypeID: number }).dataTypeID = BPCHAR;
      for (const row of answer.rows) if (row[index] === '') row[index] = '\0';
    }
    return answer;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of characters) result.columnTypes[index] = CHARACTER;
    return result;
  };
  return Object.assign(adapter, { performIO: askWithChar });
}

/**
 * @param datamodel the text of schema.prisma
 * @param externalTables `tables.external` of prisma.config.ts
 */
export async function openPrismaMigrate(
  url: string,
  datamodel: string,
  externalTables: readonly string[] = [],
): Promise<PrismaMigrate> {
  const { engine, close } = await openEngine(url, [['schema.prisma', datamodel]]);
  const filters = { externalTables: [...externalTables], externalEnums: [] };
  const schema = { files: [{ path: 'schema.prisma', content: datamodel }] };
  return {
    deploy: async (migrations) =>
      (await engine.applyMigrations({ migrationsList: listOf(migrations), filters })).appliedMigrationNames,
    diagnose: async (migrations) =>
      (await engine.devDiagnostic({ migrationsList: listOf(migrations), filters })).action,
    writeNext: async (migrations) => {
      const options = { migrationsList: listOf(migrations), draft: true, migrationName: 'next', schema, filters };
      return (await engine.createMigration(options)).migrationScript ?? '';
    },
    diff: async () => {
      const from = { tag: 'schemaDatasource' as const, ...schema, configDir: '/' };
      const to = { tag: 'schemaDatamodel' as const, ...schema };
      return (await engine.diff({ from, to, script: true, exitCode: null, filters })).stdout ?? '';
    },
    pull: async () => {
      const pulled = await engine.introspect({
        schema,
        baseDirectoryPath: '/',
        force: true,
        compositeTypeDepth: 1,
        namespaces: null,
      });
      return [...JSON.stringify(pulled.schema).matchAll(/model (\w+)/g)].map(([, name]) => name ?? '');
    },
    reset: async () => void (await engine.reset({ filter: filters })),
    close,
  };
}

export interface OpenedEngine {
  readonly engine: SchemaEngine;
  close(): Promise<void>;
}

/**
 * Prisma's schema engine on a database.
 *
 * @param shadowUrl `shadowDatabaseUrl`; none: it makes a database of its own for each use
 */
export async function openEngine(
  url: string,
  datamodels: [path: string, text: string][],
  shadowUrl?: string,
): Promise<OpenedEngine> {
  const Engine = await loadSchemaEngine();
  const prisma = new PrismaPg({ connectionString: url, max: 1 });
  const open: Adapter[] = [];
  const connect = async (): Promise<Adapter> => {
    const adapter = correct(await prisma.connect());
    open.push(adapter);
    return adapter;
  };
  const schemas = /\bschemas\s*=\s*(\[.*\])/.exec(datamodels.map(([, text]) => text).join('\n'))?.[1] ?? '["public"]';
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: prisma.provider,
    adapterName: prisma.adapterName,
    connect,
    connectToShadowDb: () =>
      shadowUrl === undefined ? connectToShadow(url) : emptyShadow(shadowUrl, JSON.parse(schemas) as string[]),
  });
  const engine = await Engine.new({ datamodels }, () => {}, factory);
  return {
    engine,
    close: async () => {
      engine.free();
      await Promise.all(open.map((adapter) => adapter.dispose().catch(() => {})));
    },
  };
}

/** The team's own shadow database, of which the engine drops the schemas that it knows, and nothing else. */
async function emptyShadow(url: string, schemas: readonly string[]): Promise<Adapter> {
  await withServer(url, async (client) => {
    for (const schema of schemas.map((name) => pg.escapeIdentifier(name)))
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
  });
  return correct(await new PrismaPg({ connectionString: url, max: 1 }).connect());
}

async function connectToShadow(url: string): Promise<Adapter> {
  const name = `duework_shadow_${randomBytes(6).toString('hex')}`;
  const quoted = pg.escapeIdentifier(name);
  await withServer(url, (client) => client.query(`CREATE DATABASE ${quoted} TEMPLATE template0`));
  const adapter = correct(await new PrismaPg({ connectionString: withDatabaseName(url, name), max: 1 }).connect());
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await dispose().catch(() => {});
    await withServer(url, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`));
  };
  return adapter;
}

const listOf = (migrations: readonly PrismaMigration[]) => ({
  baseDir: '/prisma/migrations',
  lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: migrations.map(([path, value]) => ({
    path,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } },
  })),
});
