/** No process ends that was not told to. */
export const nobodyExits = {
  promise: 'no worker exits by itself, whatever happens to the database',
  check({ events }) {
    const ends = events.filter(({ kind }) => kind === 'worker.ended');
    const failedStarts = new Set(events.filter(({ kind }) => kind === 'start.failed').map(({ by }) => by));
    const broken = ends
      .filter(({ isTold, worker }) => !isTold && !failedStarts.has(worker))
      .map(({ worker, code, signal, said }) => `${worker} ended (${signal ?? `exit code ${code}`}): ${said.join(' | ')}`);
    return { counted: events.filter(({ kind }) => kind === 'worker.spawned').length, broken, remark: failedStarts.size > 0 ? `${failedStarts.size} could not start while the database was away` : '' };
  },
};
