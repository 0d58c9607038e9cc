import type { Known } from './list-calls.js';

/** Looks up one of each, as a person finds them in the lists. */
export async function findKnown(ask: (path: string) => Promise<string>): Promise<Known> {
  const read = async <T>(path: string): Promise<T> => JSON.parse(await ask(path)) as T;
  const first = async (status: string): Promise<string> => {
    const { jobs } = await read<{ jobs: { id: string }[] }>(`/v1/jobs?limit=1&filter=status:${status}`);
    return jobs[0]!.id;
  };
  const jobs = await read<{ nextCursor: string }>('/v1/jobs?limit=50');
  const audit = await read<{ nextCursor: string }>('/v1/audit?limit=50');
  const { groups } = await read<{ groups: { filter: string }[] }>('/v1/failures?range=24h');
  return {
    dead: await first('dead'),
    waiting: await first('queued'),
    succeeded: await first('succeeded'),
    jobsCursor: jobs.nextCursor,
    auditCursor: audit.nextCursor,
    errorFilter: groups[0]!.filter,
  };
}
