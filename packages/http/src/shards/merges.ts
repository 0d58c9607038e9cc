import {
  type ActionPart,
  type KeyPart,
  least,
  mergeAction,
  mergeCount,
  mergeKey,
  mergePreview,
  mergeRule,
  type Part,
  type PreviewPart,
  type RulePart,
  sums,
  tagged,
} from '@duework/shards/merges';

/** Makes one body of those of several shards; each has its name before its ids already. */
export type Merge<T> = (parts: readonly Part<T>[]) => object;

const namesOf = (parts: readonly Part<unknown>[]): string[] => parts.map(({ shard }) => shard);

/** What each shard says of the rule, so that terms which differ are seen. */
export const ruleOfAll = <T extends RulePart & { readonly terms: object }>(parts: readonly Part<T>[]): object => ({
  ...mergeRule(parts),
  shards: parts.map(({ shard, answer: { terms } }) => ({ shard, terms })),
});

export const keyOfAll = <T extends KeyPart>(parts: readonly Part<T>[]): object => ({
  ...mergeKey(parts),
  shards: namesOf(parts),
});

/** The action of all shards, and the part of each. */
export const actionOfAll = <T extends ActionPart & { readonly filter: string }>(
  parts: readonly Part<T>[],
): T & { readonly shards: readonly object[] } => ({
  ...mergeAction(parts),
  shards: parts.map(({ shard, answer: { id, status, filter, total, done } }) => ({
    shard,
    id,
    status,
    filter,
    total,
    done,
  })),
});

export const previewOfAll = <T extends PreviewPart>(parts: readonly Part<T>[]): object => ({
  ...mergePreview(parts),
  shards: parts.map(({ shard, answer: { count } }) => ({ shard, count })),
});

/** What was paused, and in which shards. */
export const mergePause: Merge<object> = (parts) => ({ ...parts[0]!.answer, shards: namesOf(parts) });

/** The pause that has ended, of the first shard that had one; `shards`: those in which it has. */
export const mergeResumed: Merge<{ readonly pause: object | null }> = (parts) => {
  const ended = parts.filter(({ answer }) => answer.pause !== null);
  return { pause: ended[0]?.answer.pause ?? null, shards: namesOf(ended) };
};

interface Woken {
  readonly fired: number;
  readonly skipped: number;
  readonly waiting: number;
  readonly nextTickInMs: number | null;
}

export const mergeWoken: Merge<Woken> = (parts) => {
  const rows = parts.map(({ answer }) => answer);
  return { ...sums(rows, 'fired', 'skipped', 'waiting'), nextTickInMs: least(rows, 'nextTickInMs') };
};

/** How many jobs fit, of all shards together. */
export const mergeCounts: Merge<{ readonly count: number; readonly atLeast: boolean }> = (parts) => {
  const { count, isAtLeast } = mergeCount(
    parts.map(({ answer }) => ({ count: answer.count, isAtLeast: answer.atLeast })),
  );
  return { count, atLeast: isAtLeast, text: count.toLocaleString('en-US') + (isAtLeast ? '+' : '') };
};

/** Those that belong to one shard, in their order. */
export const listTagged =
  <F extends string, R extends object>(
    field: F,
    order: (one: R & { readonly shard: string }, other: R & { readonly shard: string }) => number,
    most = Infinity,
  ): Merge<Readonly<Record<F, readonly R[]>>> =>
  (parts) => ({
    [field]: tagged(parts.map(({ shard, answer }) => ({ shard, answer: answer[field] })))
      .sort(order)
      .slice(0, most),
  });
