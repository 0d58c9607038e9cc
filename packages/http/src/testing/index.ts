export { ask, useTestApi, type AnyJson, type Answer, type TestApi } from './use-test-api.js';
export { readEvents, type ReadEvent } from './read-events.js';
export { waitUntil } from './wait-until.js';
export { useServedShards, type ServedShards } from './use-served-shards.js';
export { useTestShards, type TestShards } from './use-test-shards.js';
export { startShardProxy, type ShardProxy } from './start-shard-proxy.js';
