import { mergeAlerts } from '@duework/shards/merges';
import type { AlertOperations } from '../alert-operations.js';
import type { AllShards } from './all-shards.js';

/** Alerts of several shards: each has its own, which are changed wherever they are. */
export function alertsOnShards(shards: AllShards): AlertOperations {
  return {
    list: async () => mergeAlerts(await shards.look((queue) => queue.alerts.list())),
    silence: async (key, duration, reason) =>
      void (await shards.change((queue) => queue.alerts.silence(key, duration, reason))),
    acknowledge: async (key, reason) => void (await shards.change((queue) => queue.alerts.acknowledge(key, reason))),
    test: async (severity, reason) => void (await shards.change((queue) => queue.alerts.test(severity, reason))),
  };
}
