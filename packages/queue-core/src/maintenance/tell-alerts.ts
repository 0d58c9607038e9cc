import type { AlertLimits, AlertMessage } from '../ports/alerts.js';
import type { Upkeep } from '../ports/upkeep.js';
import type { EmitEvent } from '../events.js';

/** A way to send alerts, beside the log. */
export interface AlertWay {
  /** The same in all processes that tell alerts to the same place. */
  readonly name: string;
  /** Resolves with the alerts sent; the rest is sent later, by any worker. Never rejects. */
  readonly tell: (alerts: readonly AlertMessage[], worker: string) => Promise<readonly AlertMessage[]>;
}

export interface AlertPlan {
  readonly limits: AlertLimits;
  readonly ways: readonly AlertWay[];
}

/** Looks once. What is to be told is an event at once; nobody waits for the ways, because a worker that stops would. */
export async function tellAlerts(
  store: Pick<Upkeep, 'lookForAlerts' | 'alertTold'>,
  { limits, ways }: AlertPlan,
  emit: EmitEvent,
  worker: string,
): Promise<void> {
  const names = ways.map(({ name }) => name);
  const alerts = await store.lookForAlerts(limits, names);
  for (const alert of alerts)
    if (alert.isFirst) emit({ name: alert.status === 'resolved' ? 'alert.resolved' : 'alert.raised', worker, alert });
  void tellBy(
    ways,
    alerts.filter((alert) => alert.ways.length > 0),
    worker,
    store,
  );
}

async function tellBy(
  ways: readonly AlertWay[],
  alerts: readonly AlertMessage[],
  worker: string,
  store: Pick<Upkeep, 'alertTold'>,
): Promise<void> {
  if (alerts.length === 0) return;
  const told = new Map<string, readonly AlertMessage[]>();
  const tell = async (way: AlertWay): Promise<void> => {
    const own = alerts.filter((alert) => alert.ways.includes(way.name));
    if (own.length > 0) told.set(way.name, await way.tell(own, worker));
  };
  await Promise.all(ways.map(tell));
  for (const alert of alerts) {
    const { name, subject, message } = alert;
    const by = alert.ways.filter((way) => told.get(way)?.includes(alert));
    // where that is not written, the message is told again
    await store
      .alertTold({ name, subject, message, told: by, hasFailed: by.length < alert.ways.length })
      .catch(() => {});
  }
}
