import { by, type Merge, tagged } from './sums.js';

/** What the doctor finds in each shard. */
export const mergeReports: Merge = (answers) => ({
  findings: tagged(answers, 'findings').sort(by('severity')),
  replication: tagged(answers, 'replication'),
  checks: [...new Set(answers.flatMap(({ body }) => body['checks'] as string[]))],
});
