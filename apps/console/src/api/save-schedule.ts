import { OPERATIONS, type Schemas } from './api-types.js';
import { fillPath } from './call-api.js';
import { sendRequest } from './send-request.js';

interface SavedSchedule {
  readonly key: string;
  readonly reason: string;
  readonly body: Omit<Schemas['NewSchedule'], 'payload'>;
  /** JSON as somebody wrote it, long numbers too; undefined: that of the type. */
  readonly payload: string | undefined;
  /** A schedule that has the key already stays as it is. */
  readonly isNew?: boolean;
}

/** Makes or edits a schedule. Throws `schedule_key_taken` where it has to be new and is not. */
export async function saveSchedule({
  key,
  reason,
  body,
  payload,
  isNew = false,
}: SavedSchedule): Promise<Schemas['Schedule']> {
  const [method, template] = OPERATIONS.saveSchedule;
  const parts = [JSON.stringify(body).slice(1, -1), ...(payload === undefined ? [] : [`"payload":${payload}`])];
  const response = await sendRequest({
    method,
    path: fillPath(template, { key, reason: reason === '' ? undefined : reason }),
    ...(isNew && { headers: { 'If-None-Match': '*' } }),
    json: `{${parts.join()}}`,
  });
  return (await response.json()) as Schemas['Schedule'];
}
