/** `@duework/bullmq/testing`: a real Redis, and a cluster of three, for this repository's own tests. */
export { startRedis, type RedisServer } from './start-redis.js';
export { startRedisCluster, type RedisCluster } from './start-redis-cluster.js';
export { receipt, receipts } from './receipts.js';
