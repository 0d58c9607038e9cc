/** `@duework/bullmq` as users install it: a dedicated queue, BullMQ on Redis, behind the same contracts and handlers. */
export { BULLMQ_CAPABILITIES } from './capabilities.js';
export { createBullmqStore } from './create-bullmq-store.js';
export { openBullmqQueue } from './open-bullmq-queue.js';
export type { BullmqConnection } from './redis/queues.js';
export { type JobReencryption, reencryptJobs, type ReencryptJobsOptions } from './upkeep/reencrypt-jobs.js';
export { connectRedis, type RedisConnection } from './connect-redis.js';
