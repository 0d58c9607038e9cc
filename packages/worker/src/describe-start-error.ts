import { ContractError } from '@duework/contracts';
import { describeDatabaseError } from '@duework/database';
import { DueworkError } from '@duework/queue-core';
import { PortError } from './http/port-error.js';
import { OptionsError } from './settings/options-error.js';

/** The error on which a worker cannot start, as one line with its fix: a coded one as it is, any other as the database's. */
export function describeStartError(error: unknown, url: string): Error {
  const isTold = error instanceof PortError || error instanceof OptionsError;
  if (isTold || DueworkError.is(error) || ContractError.is(error)) return error;
  return describeDatabaseError(error, url);
}
