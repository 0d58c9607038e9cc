import type { PauseKind } from '../../ports/operator.js';

/** The key at which runs with gates wait while their type or queue is paused, as `duework.let_in` makes it. */
export const pauseKey = (kind: PauseKind, name: string): string => `pause/${kind}/${name}`;
