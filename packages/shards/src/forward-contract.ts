import { defineJob, exponential, type StandardSchema } from '@duework/contracts';
import type { NewRun } from '@duework/queue-core/ports';

/** What a forward carries: the job as it would have been written here, and where it is to be written. */
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
 * A job whose work is to enqueue another one in another shard. It comes before all else, because somebody believes that the
 * other job is there; and it is tried again for three days, because a shard may be away for long. Given up, it waits for a
 * person, as any dead job does.
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
