import type { HttpErrorCode } from '../http-errors.js';

/** The problems of a rule. */
export const RULE_PROBLEMS = [
  'invalid_rule',
  'invalid_cron',
  'unknown_time_zone',
  'rule_never_fires',
  'invalid_option',
] as const satisfies readonly HttpErrorCode[];

/** The key of a schedule in a path, for the document. */
export const keyParameter = {
  name: 'key',
  in: 'path' as const,
  required: true,
  description: 'The key of the schedule.',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9:_.@-]{1,200}$' },
};
