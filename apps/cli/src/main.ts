#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done; 1 refused, or the database cannot be used, with one readable line; commander's
 * own for wrong arguments.
 */
import { ContractError } from '@duework/contracts';
import { checkDatabase, connectPrisma, describeDatabaseError, type PrismaClient } from '@duework/database';
import { DueworkError } from '@duework/queue-core';
import { readClock } from './clock.js';
import { createProgram } from './create-program.js';
import { readEnv } from './env.js';

let client: PrismaClient | undefined;
let databaseUrl: string | undefined;

/** An error that is printed as one line, without its stack. */
class PlainError extends Error {}

async function connect(): Promise<PrismaClient> {
  if (client !== undefined) return client;
  const reading = readEnv();
  if (!reading.ok) throw new PlainError(reading.line);
  databaseUrl = reading.databaseUrl;
  client = connectPrisma({ url: databaseUrl, poolSize: 2, applicationName: 'duework-cli' });
  await checkDatabase(client, databaseUrl);
  return client;
}

function tell(error: unknown): string {
  if (
    error instanceof DueworkError ||
    error instanceof ContractError ||
    error instanceof PlainError ||
    client === undefined
  )
    return (error as Error).message;
  return (error as { code?: unknown }).code === undefined
    ? (error as Error).message
    : describeDatabaseError(error, databaseUrl).message;
}

try {
  const program = createProgram({
    db: connect,
    write: (text) => void process.stdout.write(text),
    progress: (text) => void process.stderr.write(text),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: readClock,
  });
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${tell(error)}\n`);
  process.exitCode = 1;
} finally {
  await client?.$disconnect();
}
