import { BODY_PROBLEMS, DATABASE_PROBLEMS } from '../openapi/problems.js';

/** The problems of what asks for a bulk action. */
export const BULK_PROBLEMS = [
  ...BODY_PROBLEMS,
  'invalid_filter',
  'invalid_option',
  'bulk_action_refused',
  'unknown_job_type',
  ...DATABASE_PROBLEMS,
] as const;

/** The id of an action in a path, for the document. */
export const bulkIdParameter = {
  name: 'id',
  in: 'path' as const,
  required: true,
  description: 'The id of the bulk action.',
  schema: { type: 'string' as const, pattern: '^[1-9][0-9]{0,17}$' },
};
