import { queryRows, sql, type Queryable } from '@duework/sql';
import type { Json } from '../../queue/job.js';
import type { StoredFlow } from '../registry/stored-flow.js';

/** The rules of a type, by which a program makes gates. */
export type FlowDefinition = StoredFlow & { readonly type: string; readonly version: number };

/** The gates that a run is to have, null: none. `fence`: of the claim that has it, whose handler has not begun; null: it waits. */
export interface GateChange {
  readonly id: string;
  readonly type: string;
  readonly fence: number | null;
  readonly gates: readonly string[] | null;
  readonly units: readonly number[] | null;
}

/** A run that waits, as it is stored. */
export type WaitingRun = readonly [
  id: string,
  type: string,
  version: number,
  queue: string,
  gates: readonly string[] | null,
  units: readonly number[] | null,
  payload: Json,
];

/**
 * What is to get its gates next. `upto`: how far that is; null: there are no more. `types` null: nothing that is not
 * another worker's.
 */
export interface GatePortion {
  readonly types: readonly string[] | null;
  /** Types that another worker is at. */
  readonly busy: readonly string[];
  readonly upto: string | null;
  readonly looked: number | null;
  readonly runs: readonly WaitingRun[];
  /** Types of which other rules are registered than those of the worker that started last. */
  readonly overruled: readonly string[];
}

const BATCH = 2_000;
/** As the server stores them; it compresses large ones. */
const BATCH_BYTES = 4_194_304;

/**
 * The next 2,000 runs or some 4 MB, of types of which no other rules are registered than `definitions`: they are the
 * `taker`'s for 5 s. `worker`: whose rules these are; null: nothing is overruled.
 */
export async function takeGates(
  db: Queryable,
  definitions: readonly FlowDefinition[],
  taker: string,
  worker: string | null,
): Promise<GatePortion> {
  const [row] = await queryRows<Omit<GatePortion, 'runs'> & { runs: string | null }>(
    db,
    sql`
    SELECT t.types, t.busy, t.upto::text AS upto, t.looked, t.runs, t.overruled
    FROM duework.take_gates(${JSON.stringify(definitions)}::text::jsonb, ${taker}::text, ${worker}::text, ${BATCH}::integer,
      ${BATCH_BYTES}::bigint) AS t
  `,
  );
  return { ...row!, runs: JSON.parse(row!.runs ?? '[]') as WaitingRun[] };
}

/**
 * Writes what became of a portion, by id. Nulls: it is another's by now. `busy` runs are locked by somebody, and the
 * portion comes again, unless it `goesOn`.
 */
export async function writeGates(
  db: Queryable,
  { types, upto }: Pick<GatePortion, 'types' | 'upto'>,
  taker: string,
  changes: readonly GateChange[],
  goesOn: boolean,
): Promise<{ changed: number | null; busy: number | null }> {
  const [row] = await queryRows<{ changed: number | null; busy: number | null }>(
    db,
    sql`
    SELECT w.changed, w.busy
    FROM duework.write_gates(${[...types!]}::text[], ${taker}::text, ${upto}::text::bigint,
      ${JSON.stringify(changes)}::text::jsonb, ${goesOn}::boolean) AS w
  `,
  );
  return row!;
}

/**
 * Takes claims back, uncharged, whose runs have the gates of other rules; returns the ids of those. None of a type of
 * which other rules are registered.
 */
export async function changeClaimedGates(
  db: Queryable,
  definitions: readonly FlowDefinition[],
  changes: readonly GateChange[],
): Promise<string[]> {
  const [row] = await queryRows<{ changed: string[] | null }>(
    db,
    sql`
    SELECT duework.change_claims(${JSON.stringify(definitions)}::text::jsonb, ${JSON.stringify(changes)}::text::jsonb)::text[] AS changed
  `,
  );
  return row!.changed ?? [];
}
