export { listPauses } from './pauses/list-pauses.js';
export { pauseQueue } from './pauses/pause-queue.js';
export { pauseType } from './pauses/pause-type.js';
export { resumeQueue } from './pauses/resume-queue.js';
export { resumeType } from './pauses/resume-type.js';
