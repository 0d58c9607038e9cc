import { type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { env } from './env.js';

interface Database {
  readonly orders: {
    readonly id: Generated<number>;
    readonly email: string;
    readonly cents: number;
    readonly receipt_sent_at: Date | null;
  };
}

export const db = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: env.databaseUrl }) }),
});
