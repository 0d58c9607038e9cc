/** No process ends that was not told to. */
export const nobodyExits = {
  promise: 'no process exits by itself, whatever happens to the database',
  check({ events }) {
    const ends = events.filter(({ kind }) => kind === 'worker.ended');
    const failedStarts = new Set(events.filter(({ kind }) => kind === 'start.failed').map(({ by }) => by));
    const broken = ends
      .filter(({ isTold, worker }) => !isTold && !failedStarts.has(worker))
      .concat(events.filter(({ kind }) => kind === 'person.fell'))
      .map(
        ({ worker, person, code, signal, said }) =>
          `${worker ?? person} ended (${signal ?? `exit code ${code}`}): ${said.join(' | ')}`,
      );
    return {
      counted: events.filter(({ kind }) => kind === 'worker.spawned' || kind === 'person.begun').length,
      broken,
      remark: failedStarts.size > 0 ? `${failedStarts.size} could not start while the database was away` : '',
    };
  },
};
