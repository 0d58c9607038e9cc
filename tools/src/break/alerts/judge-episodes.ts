/** Something that was wrong for a while; moments in milliseconds since 1970. */
export interface Episode {
  /** The queue in which a job waits. */
  readonly subject: string;
  readonly begunMs: number;
  readonly endedMs: number;
}

/** A post, as the witness has got it. */
export interface Seen {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly atMs: number;
}

export interface Told {
  readonly episodes: readonly Episode[];
  readonly seen: readonly Seen[];
  readonly kills: number;
  readonly cuts: number;
}

/** What was told otherwise than it was: of each episode one begin and one end, by their ids. */
export function judgeEpisodes({ episodes, seen, kills, cuts }: Told): { faults: string[]; sentence: string } {
  const distinct = seen.filter(({ id }, at) => seen.findIndex((one) => one.id === id) === at);
  const faults: string[] = [];
  const known = new Set(episodes.map(({ subject }) => subject));
  for (const { subject, status } of distinct)
    if (!known.has(subject)) faults.push(`${subject} was told (${status}), and nothing was wrong with it.`);
  const toBegin: number[] = [];
  const toEnd: number[] = [];
  for (const { subject, begunMs, endedMs } of episodes) {
    const own = distinct.filter((one) => one.subject === subject);
    const told = own.map(({ status }) => status).join(', ');
    if (told !== 'raised, resolved')
      faults.push(`${subject}: ${told || 'nothing was told'}, and not: raised, resolved.`);
    else {
      toBegin.push(own[0]!.atMs - begunMs);
      toEnd.push(own[1]!.atMs - endedMs);
      if (own[1]!.atMs < endedMs) faults.push(`${subject} was told to be over before it was.`);
    }
  }
  const again = seen.length - distinct.length;
  return {
    faults,
    sentence:
      `${episodes.length} alerts, ${kills} APIs killed, all sessions cut ${cuts} times, ${seen.length} posts, ${again} of them again under the same id. ` +
      `Told after ${spell(toBegin)}; told to be over after ${spell(toEnd)}. ${faults.length === 0 ? 'Each began and was over once.' : `${faults.length} faults.`}`,
  };
}

/** `12 s (median), 80 s (the longest)` */
function spell(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  if (sorted.length === 0) return 'never';
  const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
  return `${seconds(sorted[Math.floor(sorted.length / 2)]!)} (median), ${seconds(sorted.at(-1)!)} (the longest)`;
}
