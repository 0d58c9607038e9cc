import { connect } from '@scope/db';
import { createHandlers } from './create-handlers.js';

export { catalog } from '@scope/jobs';
/** What `duework dev` and main.ts run. */
export const handlers = createHandlers(connect(process.env['DATABASE_URL'] ?? ''));
