export type { JobState } from './live/job-state.js';
export { JobWatch, type JobListener, type WatchOptions } from './live/job-watch.js';
