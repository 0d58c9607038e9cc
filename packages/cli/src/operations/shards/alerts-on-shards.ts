import type { AlertOperations } from '../alert-operations.js';
import type { AllShards } from './all-shards.js';

/** Alerts of several shards: each has its own, which are changed wherever they are. */
export function alertsOnShards(shards: AllShards): AlertOperations {
  return {
    async list() {
      const lists = await shards.look((queue) => queue.alerts.list());
      return {
        alerts: lists.flatMap(({ shard, answer }) => answer.alerts.map((alert) => ({ ...alert, shard }))),
        silences: lists.flatMap(({ shard, answer }) => answer.silences.map((silence) => ({ ...silence, shard }))),
      };
    },
    silence: async (key, duration, reason) =>
      void (await shards.change((queue) => queue.alerts.silence(key, duration, reason))),
    acknowledge: async (key, reason) => void (await shards.change((queue) => queue.alerts.acknowledge(key, reason))),
    test: async (severity, reason) => void (await shards.change((queue) => queue.alerts.test(severity, reason))),
  };
}
