import { inspect } from 'node:util';
import type { JobContract } from '@duework/contracts';
import type { ExpectedJob } from './expected-job.js';
import { isMeant, type LookedAtJob } from './find-enqueued.js';

const MAX_LISTED = 5;

/** `send_receipt with the payload { orderId: 7 } and the key "receipt:7"`. */
export function describeExpected<C extends JobContract>({ type }: C, { payload, key }: ExpectedJob<C>): string {
  const wanted = [
    ...(payload === undefined ? [] : [`the payload ${inspect(payload, { depth: 10, breakLength: Infinity })}`]),
    ...(key === undefined ? [] : [`the key ${JSON.stringify(key)}`]),
  ];
  return wanted.length === 0 ? type : `${type} with ${wanted.join(' and ')}`;
}

/**
 * What is there instead, a line each, the newest last. Of a payload only the fields that were asked for are shown, because
 * nothing else was the test's business.
 */
export function describeSeen(seen: readonly LookedAtJob[]): string {
  if (seen.length === 0) return 'There is no job of that type.';
  const listed = seen.slice(-MAX_LISTED);
  const more = seen.length - listed.length;
  return ['Jobs of that type:', ...(more === 0 ? [] : [`  … ${more} more`]), ...listed.map(describe)].join('\n');
}

function describe(looked: LookedAtJob): string {
  const { job, differences } = looked;
  const due = job.status === 'queued' || job.status === 'failed' ? ` for ${job.runAt.toISOString()}` : '';
  return `  ${job.id}, ${job.status}${due}: ${isMeant(looked) ? 'as expected' : differences.join('; ')}`;
}
