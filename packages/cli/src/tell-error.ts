import { ClientError } from '@duework/client';
import { ContractError } from '@duework/contracts';
import { describeDatabaseError } from '@duework/database';
import { DueworkError } from '@duework/queue-core';
import { PlainError } from './plain-error.js';

/**
 * One line for an error: a refusal's own message, and for what the database's driver throws a line with its fix.
 *
 * @param databaseUrl - undefined: nothing was asked of a database
 */
export function tellError(error: unknown, databaseUrl: string | undefined): string {
  const isRefusal = DueworkError.is(error) || ContractError.is(error) || error instanceof PlainError;
  if (ClientError.is(error)) return tellProblem(error);
  const hasCode = (error as { code?: unknown } | null)?.code !== undefined;
  if (!isRefusal && databaseUrl !== undefined && hasCode) return describeDatabaseError(error, databaseUrl).message;
  return error instanceof Error ? error.message : String(error);
}

/** What an API has refused, with the fields that it says are wrong. */
function tellProblem({ message, issues }: ClientError): string {
  const wrong = issues.map((issue) => [issue.pointer, issue.message].filter(Boolean).join(' '));
  return wrong.length === 0 ? message : `${message} ${wrong.join('; ')}.`;
}
