import { describeAlert, keyOfAlert, type Queryable } from '@duework/queue-core';
import type { Alert, AlertList } from './alert.js';
import { findAlerts } from './sql/find-alerts.js';
import { findSilences } from './sql/find-silences.js';

/** Current alerts, the gravest first, and the silenced ones. */
export async function listAlerts(db: Queryable): Promise<AlertList> {
  return { alerts: await readAlerts(db), silences: await findSilences(db) };
}

/** The same without the silences; `key`: that one alone. */
export async function readAlerts(db: Queryable, key?: string): Promise<readonly Alert[]> {
  return (await findAlerts(db, key)).map((row) => {
    const { says: text, advises: advice } = describeAlert(row);
    return { key: keyOfAlert(row), text, advice, ...row };
  });
}
