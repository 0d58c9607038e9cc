/** `kill -9`: nothing is said and nothing is given back. */
export const killWorker = {
  name: 'kill-worker',
  title: 'a worker is killed (kill -9)',
  async inject({ workers, random, note }) {
    const place = random.pick(workers.places);
    note('fault.begun', { worker: place.worker.workerName, isPooled: place.isPooled });
    place.worker.signal('SIGKILL');
    await place.worker.exited;
  },
};
