import type { Incident } from './incident.js';
import { alerts } from './list/alerts.js';
import { backlog } from './list/backlog.js';
import { badDeploy } from './list/bad-deploy.js';
import { customer } from './list/customer.js';
import { leakedKey } from './list/leaked-key.js';
import { lostWorkers } from './list/lost-workers.js';
import { mailServer } from './list/mail-server.js';
import { missedSchedule } from './list/missed-schedule.js';
import { oldSnapshot } from './list/old-snapshot.js';

/** Every incident, by the name that it is asked for with. */
export const incidents: Readonly<Record<string, Incident>> = {
  'mail-server': mailServer,
  'bad-deploy': badDeploy,
  customer,
  backlog,
  'lost-workers': lostWorkers,
  'missed-schedule': missedSchedule,
  'old-snapshot': oldSnapshot,
  'leaked-key': leakedKey,
  alerts,
};
