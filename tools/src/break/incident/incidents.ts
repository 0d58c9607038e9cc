import type { Incident } from './incident.js';
import { backlog } from './list/backlog.js';
import { badDeploy } from './list/bad-deploy.js';
import { customer } from './list/customer.js';
import { lostWorkers } from './list/lost-workers.js';
import { mailServer } from './list/mail-server.js';

/** Every incident, by the name that it is asked for with. */
export const incidents: Readonly<Record<string, Incident>> = {
  'mail-server': mailServer,
  'bad-deploy': badDeploy,
  customer,
  backlog,
  'lost-workers': lostWorkers,
};
