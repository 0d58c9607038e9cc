import { alerts } from './en/alerts.js';
import { audit } from './en/audit.js';
import { batch } from './en/batch.js';
import { bulk } from './en/bulk.js';
import { contracts } from './en/contracts.js';
import { enqueue } from './en/enqueue.js';
import { failures } from './en/failures.js';
import { flow } from './en/flow.js';
import { job } from './en/job.js';
import { jobs } from './en/jobs.js';
import { links } from './en/links.js';
import { overview } from './en/overview.js';
import { queues } from './en/queues.js';
import { schedules } from './en/schedules.js';
import { schema } from './en/schema.js';
import { shell } from './en/shell.js';
import { workflows } from './en/workflows.js';
import { compare } from './en/compare.js';
import { workers } from './en/workers.js';

/**
 * Every text of the console, a file per screen. A translation is another object of this type; a text with something in
 * it is a function, so that another language can put its words in another order.
 */
export const en = {
  ...shell,
  alerts,
  jobs,
  job,
  links,
  overview,
  queues,
  flow,
  workers,
  batch,
  bulk,
  failures,
  schedules,
  schema,
  contracts,
  enqueue,
  audit,
  workflows,
  compare,
};

export type Texts = typeof en;
