import type { Trouble } from './find-troubles.js';

export interface HeldTroubles {
  readonly lines: readonly {
    /** The same for the same trouble, however it goes on. */
    readonly name: string;
    readonly trouble: Trouble;
    /** It is there no more, and keeps its place. */
    readonly isOver: boolean;
  }[];
  /** How many have come since, which have no place yet. */
  readonly newer: number;
}

/** The troubles of `fresh` at the places of `held`. null: nobody is among them, and all of them are shown in their order. */
export function holdTroubles(held: readonly Trouble[] | null, fresh: readonly Trouble[]): HeldTroubles {
  const now = new Map(fresh.map((trouble) => [nameOf(trouble), trouble]));
  const lines = (held ?? fresh).map((before) => {
    const name = nameOf(before);
    const trouble = now.get(name);
    return { name, trouble: trouble ?? before, isOver: trouble === undefined };
  });
  const known = new Set(lines.map(({ name }) => name));
  return { lines, newer: [...now.keys()].filter((name) => !known.has(name)).length };
}

function nameOf(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'no_workers':
      return trouble.kind;
    case 'unserved':
      return `unserved ${trouble.unserved.queue} ${trouble.unserved.type} ${trouble.unserved.version}`;
    case 'failing':
    case 'mended':
      return `failing ${trouble.queue.queue} ${trouble.queue.type}`;
    case 'saturated':
      return `saturated ${trouble.queue}`;
    case 'died':
    case 'retrying':
    case 'behind':
      return `${trouble.kind} ${trouble.queue.queue} ${trouble.queue.type}`;
    case 'paused':
      return `paused ${trouble.pause.kind} ${trouble.pause.name}`;
    case 'lost':
    case 'silent':
    case 'stalled':
    case 'shut':
      return `${trouble.kind} ${trouble.worker.name}`;
    case 'breaker':
    case 'blocked':
    case 'shut_rule':
    case 'held':
      return `rule ${trouble.rule.name}`;
    case 'alert':
      return `alert ${trouble.alert.key}`;
    case 'finding':
      return `finding ${trouble.finding.code} ${trouble.finding.about}`;
  }
}
