import { createHash } from 'node:crypto';
import type { Json } from '@duework/queue-core';
import type { EffectAnswer, EffectEnding, EffectKey, EffectRequest } from '@duework/queue-core/ports';
import { readJobId } from '../jobs/job-id.js';
import { tokenOf, type Queues } from '../redis/queues.js';

/** All effects of one business event are one hash. */
export function effectsKey(queues: Queues, { type, runKey }: Pick<EffectKey, 'type' | 'runKey'>): string {
  return queues.key(`effects:${createHash('sha256').update(`${type}\n${runKey}`).digest('base64url')}`);
}

const ownerOf = ({ id, fence }: { readonly id: string; readonly fence: number }): string => `${id} ${fence}`;

/** Writes that an effect is about to happen, only while this claim holds the run. */
export async function beginEffect(queues: Queues, request: EffectRequest): Promise<EffectAnswer> {
  const placed = readJobId(request.id);
  if (placed === null) return { kind: 'lost' };
  const [kind, more] = (await queues.redis.dueworkBeginEffect(
    queues.lockKey(placed),
    effectsKey(queues, request),
    queues.jobKey(placed),
    tokenOf(placed, request.fence),
    ownerOf(request),
    request.name,
    request.policy === 'at_most_once' ? 1 : 0,
  )) as [EffectAnswer['kind'], string | undefined];
  if (kind === 'begun') return { kind, isRepeat: more === '1' };
  return kind === 'done' ? { kind, result: JSON.parse(more!) as Json } : { kind };
}

/** The result of an effect that has happened; null: it has not happened, or that is unknown. */
export async function findEffect(queues: Queues, key: EffectKey): Promise<{ result: Json } | null> {
  const [status, result] = await queues.redis.hmget(effectsKey(queues, key), `s:${key.name}`, `r:${key.name}`);
  return status === 'done' ? { result: JSON.parse(result!) as Json } : null;
}

/** Writes how an effect ended. false: another claim has taken it over meanwhile. */
export async function endEffect(
  queues: Queues,
  key: EffectKey,
  claim: { readonly id: string; readonly fence: number },
  ending: EffectEnding,
): Promise<boolean> {
  const result = ending.kind === 'done' ? ending.resultJson : '';
  const args = [ownerOf(claim), key.name, ending.kind, result] as const;
  return (await queues.redis.dueworkEndEffect(effectsKey(queues, key), ...args)) === 1;
}
