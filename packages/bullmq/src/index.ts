/** `@duework/bullmq`: a dedicated queue, BullMQ on Redis, behind the same contracts and handlers. */
export { encodeJob, type EncodedJob, type JobNotes } from './jobs/encode-job.js';
export { decodeJob, type BullmqRun, type RawJob } from './jobs/decode-job.js';
export { readJobId, toJobId, type PlacedId } from './jobs/job-id.js';
