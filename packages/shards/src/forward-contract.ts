import { defineJob, exponential, type StandardSchema } from '@duework/contracts';
import type { NewRun } from '@duework/queue-core/ports';

/** A forward: the job as it would have been written here, and its target. */
export interface Forward {
  readonly to: string;
  readonly run: NewRun;
}

/** The job that a forward has become. */
export type Forwarded = {
  readonly id: string;
  readonly deduplicated: boolean;
};

const FORWARD_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    to: { type: 'string' },
    run: {
      type: 'object',
      properties: { type: { type: 'string' }, payloadJson: { type: 'string' }, metaJson: {} },
      required: ['type', 'payloadJson'],
    },
  },
  required: ['to', 'run'],
};

const payload: StandardSchema<Forward> = {
  '~standard': {
    version: 1,
    vendor: 'duework',
    validate(value) {
      const { to, run } = (value ?? {}) as { readonly to?: unknown; readonly run?: Partial<NewRun> | null };
      const isForward = typeof to === 'string' && typeof run?.type === 'string' && typeof run.payloadJson === 'string';
      return isForward ? { value: value as Forward } : { issues: [{ message: 'expected what forward() writes' }] };
    },
    jsonSchema: { input: () => FORWARD_SCHEMA, output: () => FORWARD_SCHEMA },
  },
};

/**
 * A job whose work is to enqueue another one in another shard. It comes before all else, because its caller relies on
 * the other job; and it is retried for three days, because a shard may be unavailable for long. Then it is dead, and
 * waits for a person.
 */
export const forwardJob = defineJob({
  type: 'duework_forward',
  payload,
  // its own, so that no pause and no limit of others holds it up
  queue: 'duework_forward',
  // what the job was given, whatever in it is sensitive
  sensitive: ['/run/payloadJson'],
  priority: 0,
  retry: exponential({ base: '1s', cap: '5m' }),
  maxAttempts: 1_000,
  // one call for each target at a time: who does not answer holds up its own alone, and has one slot
  collect: { max: 200, wait: '2ms', by: 'to', atOnce: 1 },
});
