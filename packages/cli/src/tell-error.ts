import { ClientError } from '@duework/client';
import { ContractError } from '@duework/contracts';
import { describeDatabaseError } from '@duework/database';
import { DueworkError } from '@duework/queue-core';
import { CommanderError } from 'commander';
import { ProblemsError } from './contracts/contracts-parts.js';
import { FINDING, USAGE } from './exit-codes.js';
import { PlainError } from './plain-error.js';
import { MomentError } from './schedules/moment-error.js';

/** Codes of errors that say that the arguments cannot be used. */
const WRONG_ARGUMENTS = new Set([
  'invalid_option',
  'confirmation_needed',
  'two_ends',
  'no_moment',
  'no_value',
  'payload_not_json',
  'value_not_json',
  'shard_not_given',
  'invalid_filter',
  'invalid_job_id',
  'invalid_cron',
  'invalid_rule',
  'unknown_time_zone',
]);

/** What the program ends with after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof ProblemsError) return FINDING;
  const isOfArguments =
    error instanceof MomentError ||
    ((error instanceof PlainError || DueworkError.is(error)) && WRONG_ARGUMENTS.has(error.code));
  return isOfArguments ? USAGE : 1;
}

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

/** What an API has refused, with the fields that it says are wrong, unless that has said it. */
function tellProblem({ message, issues }: ClientError): string {
  const untold = issues.filter((issue) => !message.includes(issue.message));
  const wrong = untold.map((issue) => [issue.pointer, issue.message].filter(Boolean).join(' ').replace(/\.$/, ''));
  return wrong.length === 0 ? message : `${message} ${wrong.join('; ')}.`;
}

/** The line of the documentation about an error with a code; null: its own message says all of it. */
export const docsOf = (error: unknown): string | null =>
  DueworkError.is(error) || ContractError.is(error) ? error.docs : null;
