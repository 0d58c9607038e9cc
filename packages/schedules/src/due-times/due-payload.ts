import { readPayload, type JobContract } from '@duework/contracts';
import { DueworkError, unsealPayload } from '@duework/queue-core';
import type { ScheduleRow } from '../sql/schedule-row.js';
import { renderPayload } from './due-template.js';

/**
 * The payload of one due time in the shape of this program's contract, for `enqueue`, whatever version the schedule was
 * saved with. Throws `DueworkError`: `unknown_job_version`, `invalid_payload`, `invalid_template`, `key_missing`,
 * `payload_not_readable`.
 */
export function duePayload(
  { type, version, payload, timeZone }: Pick<ScheduleRow, 'type' | 'version' | 'payload' | 'timeZone'>,
  contract: JobContract,
  dueMs: number,
): unknown {
  const { oldestVersion, version: today } = contract;
  if (version < oldestVersion || version > today)
    throw new DueworkError('unknown_job_version', { type, version, oldestVersion, newestVersion: today });
  const rendered = renderPayload(type, unsealPayload(contract, version, payload), dueMs, timeZone);
  // `enqueue` parses it
  if (version === today) return rendered;
  const reading = readPayload(contract, version, rendered);
  if (reading.success) return reading.data;
  throw new DueworkError('invalid_payload', { type, issues: [{ pointer: '', message: reading.why }] });
}
