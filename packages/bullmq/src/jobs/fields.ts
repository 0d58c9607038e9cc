/**
 * What Duework keeps of a run in the hash of its job, beside BullMQ's own fields, which stay as BullMQ writes them. Moments
 * are milliseconds since 1970; an empty text is none.
 */
export const FIELD = {
  status: 'dw:status',
  attempts: 'dw:attempts',
  fence: 'dw:fence',
  worker: 'dw:worker',
  claimedAt: 'dw:claimedAt',
  runAt: 'dw:runAt',
  failedAt: 'dw:failedAt',
  errorCode: 'dw:errorCode',
  errorType: 'dw:errorType',
  error: 'dw:error',
  snoozes: 'dw:snoozes',
  snoozedAt: 'dw:snoozedAt',
  releases: 'dw:releases',
  cancelAt: 'dw:cancelAt',
  cancelBy: 'dw:cancelBy',
  cancelReason: 'dw:cancelReason',
  acknowledgedAt: 'dw:acknowledgedAt',
  /** It has begun effects, of which Redis alone knows. */
  acted: 'dw:acted',
  /** It is on its way to the table, or has gone there: by whom, and under which number. */
  moved: 'dw:moved',
  /** It had failed for good when it went there. */
  movedDead: 'dw:movedDead',
  /** Under which id it is in the table. Not its result, which any handler may write. */
  movedTo: 'dw:movedTo',
} as const;

/** Fields to write, as Redis takes them. */
export type Fields = Record<string, string | number>;
