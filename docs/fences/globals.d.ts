/**
 * What the examples of the documentation use and do not show: the reader's own clients, functions and contracts. It is
 * global, so that an example may also import or define the same name.
 */
import type * as jest from '@jest/globals';
import type { PrismaPg } from '@prisma/adapter-pg';
import type * as duework from 'duework';
import type { QueueHandler } from '@duework/http';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Redis } from 'ioredis';
import type { Knex } from 'knex';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Sql } from 'postgres';
import type { DataSource } from 'typeorm';
import type * as worker from 'duework/worker';
import type * as jobs from './jobs.js';
import type { orders as ordersTable } from './orders.js';

/** The reader's generated Prisma client, as far as the examples use it. */
interface PrismaLike extends duework.RawClient {
  $transaction<T>(run: (tx: PrismaLike) => Promise<T>): Promise<T>;
  $disconnect(): Promise<void>;
  readonly order: {
    update(given: object): Promise<Order>;
    create(given: object): Promise<Order>;
    findUnique(given: object): Promise<Order | null>;
    findUniqueOrThrow(given: object): Promise<Order>;
  };
}
interface Order {
  readonly id: number;
  readonly jobId: string | null;
}
interface Mail {
  readonly subject: string;
}
interface Tables {
  readonly orders: { id: number; status: string };
}

declare global {
  namespace Prisma {
    type TransactionClient = PrismaLike;
  }
  /** As `prisma generate` makes it. */
  const PrismaClient: new (options: { readonly adapter: PrismaPg }) => PrismaLike;
  const { enqueue }: typeof duework;

  /** The reader's client, whichever it is. */
  const db: PrismaLike;
  const prisma: PrismaLike;
  const tx: PrismaLike;
  const pool: Pool;
  const postgresSql: Sql;
  /** A client of the reader's Redis. */
  const connection: Redis;
  const drizzleDb: NodePgDatabase;
  const orders: typeof ordersTable;
  const kyselyDb: Kysely<Tables>;
  const knexDb: Knex;
  const dataSource: DataSource;
  const mine: { run(text: string, values: readonly unknown[]): Promise<{ rows: never }> };

  /** The queue over HTTP, mounted in one of several frameworks. */
  const handler: QueueHandler;
  /** An API key. */
  const key: string;
  function show(event: unknown): void;
  function currentTenant(): string;

  const id: number;
  const user: { readonly id: number; readonly timeZone: string };
  const timeZone: string;
  const week: { userId: number; from: string; to: string };
  /** The schema of a payload. */
  const payload: typeof jobs.reportPayload;
  const schedules: Parameters<typeof worker.runWorker>[0]['schedules'] & object;
  const { sendInvoice, sendReceipt, sendWeeklyReport, cleanupNightly, catalog }: typeof jobs;
  const handlers: duework.Handlers<typeof catalog>;
  const createHandlers: (db: PrismaLike) => typeof handlers;

  function markOrderPaid(tx: PrismaLike, id: number): Promise<boolean>;
  function makeInvoice(order: Order): Promise<Buffer>;
  function mail(order: Order, pdf: Buffer, options: { messageId: string; signal: AbortSignal }): Promise<void>;
  function sendMail(orderId: number, key: string): Promise<void>;
  /** What an order's life uses of the shop, which is in packages/shop and apps/worker. */
  const ARTICLE: string;
  function reserveStock(tx: PrismaLike, orderId: number): Promise<jobs.Bought | null>;
  function cancelUnpaid(tx: PrismaLike, orderId: number): Promise<'cancelled' | 'cancelled before' | 'paid'>;
  function writeReviewMail(orderId: number, email: string): Mail;
  interface AttemptDatabase {
    readonly transaction: <T>(run: (tx: PrismaLike) => Promise<T>) => Promise<T>;
  }
  type SendMailOnce = (
    context: Pick<duework.JobContext, 'once' | 'signal'>,
    request: { readonly key: string; readonly compose: () => Promise<Mail> },
  ) => Promise<duework.Outcome<{ messageId: string }>>;
  /** Of a project with NestJS: what examples/nestjs has in src/jobs, and the reader's own. */
  const Handles: <C extends duework.JobContract>(
    contract: C,
  ) => (target: object, name: string | symbol, method: { value?: duework.Handler<C> }) => void;
  const collectHandlers: <C extends duework.Catalog>(app: object, catalog: C) => duework.Handlers<C>;
  const AppModule: object;
  class OrdersService {
    markReceiptSent(orderId: number): Promise<void>;
  }
  function render(payload: object, signal: AbortSignal): Promise<string>;
  const { afterAll, beforeAll, expect, test }: typeof jest;
}
