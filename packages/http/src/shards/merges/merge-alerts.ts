import { by, type Merge, tagged } from './sums.js';

/** What is on in all shards; a silence of each. */
export const mergeAlerts: Merge = (answers) => ({
  alerts: tagged(answers, 'alerts').sort(by('severity', 'key', 'shard')),
  silences: tagged(answers, 'silences').sort(by('key', 'shard')),
});
