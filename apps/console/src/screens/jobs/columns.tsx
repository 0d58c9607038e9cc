import { Link } from '@tanstack/react-router';
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { AttemptTicks } from '../../ui/marks/attempt-ticks.js';
import { Age } from '../../ui/marks/moment.js';
import { JobStatus } from '../../ui/marks/job-status.js';
import { JobDetail } from './job-detail.js';
import { JobWhen } from './job-when.js';

export const features = tableFeatures({ columnVisibilityFeature });
const helper = createColumnHelper<typeof features, Schemas['ListedJob']>();
const words = texts.jobs.column;

/** Every column that can be shown, in its order. */
export const columns = helper.columns([
  helper.display({
    id: 'status',
    header: words.status,
    cell: ({ row }) => <JobStatus job={row.original} />,
  }),
  helper.display({ id: 'id', header: words.id, cell: ({ row }) => <JobLink job={row.original} /> }),
  helper.display({
    id: 'type',
    header: words.type,
    cell: ({ row }) => <span className="font-medium">{row.original.type}</span>,
  }),
  helper.display({ id: 'queue', header: words.queue, cell: ({ row }) => row.original.queue }),
  helper.display({ id: 'attempts', header: words.attempts, cell: ({ row }) => <AttemptTicks job={row.original} /> }),
  helper.display({ id: 'when', header: words.when, cell: ({ row }) => <JobWhen job={row.original} /> }),
  helper.display({ id: 'detail', header: words.detail, cell: ({ row }) => <JobDetail job={row.original} /> }),
  helper.display({
    id: 'worker',
    header: words.worker,
    cell: ({ row }) => <span className="font-mono text-xs">{row.original.worker}</span>,
  }),
  helper.display({ id: 'createdAt', header: words.createdAt, cell: ({ row }) => <Age at={row.original.createdAt} /> }),
  helper.display({ id: 'priority', header: words.priority, cell: ({ row }) => row.original.priority }),
  helper.display({ id: 'version', header: words.version, cell: ({ row }) => row.original.version }),
  helper.display({
    id: 'key',
    header: words.key,
    cell: ({ row }) => <span className="font-mono text-xs">{row.original.idempotencyKey}</span>,
  }),
]);

export type ColumnId = keyof typeof words;
export const COLUMN_IDS = Object.keys(words) as ColumnId[];
export const DEFAULT_COLUMNS: readonly ColumnId[] = ['status', 'id', 'type', 'attempts', 'when', 'detail'];

/** Reads the columns of an address (`status,id,type`); what it does not name, or names wrongly, is the default. */
export function readColumns(text: string | undefined): readonly ColumnId[] {
  const named = text?.split(',') ?? [];
  const known = COLUMN_IDS.filter((id) => named.includes(id));
  return known.length === 0 ? DEFAULT_COLUMNS : known;
}

/** As they stand in an address; undefined: the default. */
export function printColumns(ids: readonly ColumnId[]): string | undefined {
  const text = COLUMN_IDS.filter((id) => ids.includes(id)).join(',');
  return text === DEFAULT_COLUMNS.join(',') ? undefined : text;
}

/** Longer ids differ at their end. */
const LONGEST_ID = 20;
const shorten = (id: string): string => (id.length > LONGEST_ID ? `…${id.slice(1 - LONGEST_ID)}` : id);

/** A job's id, which leads to its screen. */
function JobLink({ job }: { readonly job: Schemas['ListedJob'] }) {
  return (
    <Link
      to="/jobs/$id"
      params={{ id: job.id }}
      data-job={job.id}
      title={job.id}
      className="font-mono text-xs hover:underline"
    >
      {shorten(job.id)}
    </Link>
  );
}
