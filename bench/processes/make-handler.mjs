/** What the jobs do; each says when one is done. */
const JOBS = {
  /** Nothing at all. */
  nothing: ({ finish }) => ({ handle: () => finish(), read: () => ({}) }),
  /** Waits five milliseconds, as for a quick answer from elsewhere. */
  wait: ({ finish }) => {
    const handle = () =>
      new Promise((resolve) => {
        setTimeout(() => {
          finish();
          resolve();
        }, 5);
      });
    return { handle, read: () => ({}) };
  },
  /** Notes when it started, on the clock that all processes of this machine share. */
  stamp: ({ finish, size }) => {
    const startedMs = new Float64Array(size);
    const handle = ({ id }) => {
      startedMs[id] = Number(process.hrtime.bigint()) / 1e6;
      finish();
    };
    return { handle, read: () => ({ startedMs }) };
  },
  /** Notes when the first one started, by the calendar. */
  first: ({ finish }) => {
    let firstAtMs = null;
    const handle = () => {
      firstAtMs ??= performance.timeOrigin + performance.now();
      finish();
    };
    return { handle, read: () => ({ firstAtMs }) };
  },
};

/**
 * @param {{ job: keyof JOBS, size: number, finish: () => void }} options - `size`: how many ids there are at most, for `stamp`
 */
export const makeHandler = ({ job, ...options }) => JOBS[job](options);
