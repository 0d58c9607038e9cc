/**
 * Prisma's own schema engine, compiled to WebAssembly: the same table, the same checksums and the same rules as
 * `prisma migrate deploy`, without the native engine that command downloads.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { DatabaseAddress } from '../parse-database-url.js';
import { sessionOptions } from '../session-options.js';
import { loadSchemaEngine } from './load-schema-engine.js';

export interface OpenSchemaEngine {
  readonly engine: SchemaEngine;
  /** The last statement that PostgreSQL refused; the engine itself keeps only its text. */
  readonly lastError: () => unknown;
  readonly close: () => Promise<void>;
}

/** Opens the engine for one schema, on one connection of its own; `close` ends both, so that the process can exit. */
export async function openSchemaEngine(address: DatabaseAddress, schema: string): Promise<OpenSchemaEngine> {
  const Engine = await loadSchemaEngine();
  let lastError: unknown;
  const pg = new PrismaPg(
    {
      connectionString: address.url,
      // Prisma keeps _prisma_migrations in the first schema of the search path. In a schema of our own, a database that
      // already has the team's tables and the team's own _prisma_migrations in "public" is none of its business.
      options: `${sessionOptions(address, 'app')} -c search_path=${schema}`,
      application_name: 'duework-migrate',
      max: 1,
      connectionTimeoutMillis: 5_000,
    },
    { schema, onPoolError: () => {}, onConnectionError: () => {} },
  );
  const adapters: { dispose: () => Promise<void> }[] = [];
  const connect: PrismaPg['connect'] = async () => {
    const adapter = await pg.connect();
    adapters.push(adapter);
    // The adapter splits a script at every semicolon, also inside a function's body. PostgreSQL takes it as a whole,
    // and as one transaction: a migration that fails leaves nothing behind.
    adapter.executeScript = async (script) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        lastError = error;
        // Protected, but the only way to give the engine a text that it keeps in _prisma_migrations.logs.
        adapter['onError'](error);
      }
    };
    return adapter;
  };
  const factory = bindMigrationAwareSqlAdapterFactory({
    provider: pg.provider,
    adapterName: pg.adapterName,
    connect,
    connectToShadowDb: () => pg.connectToShadowDb(),
  });
  const close = async (): Promise<void> => {
    await Promise.all(adapters.map((adapter) => adapter.dispose().catch(() => {})));
  };
  try {
    const engine = await Engine.new({ datamodels: [['schema.prisma', datamodelOf(schema)]] }, () => {}, factory);
    return {
      engine,
      lastError: () => lastError,
      close: async () => {
        engine.free();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The options of applying: the engine refuses a schema that has tables and no record, and reads no other schema. */
const datamodelOf = (schema: string): string =>
  `datasource db {\n  provider = "postgresql"\n  schemas  = ["${schema}"]\n}\n`;
