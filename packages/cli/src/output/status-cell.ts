import type { JobStatus } from '@duework/queue-core';
import type { Cell } from './format-table.js';
import type { Style } from './look.js';

const STYLES: Readonly<Record<JobStatus, Style | undefined>> = {
  queued: undefined,
  running: 'cyan',
  failed: 'yellow',
  succeeded: 'green',
  dead: 'red',
  cancelled: 'dim',
};

/** A status, coloured: a word first, so that nothing is lost without colours. */
export const statusCell = (status: JobStatus): Cell => ({ text: status, style: STYLES[status] });
