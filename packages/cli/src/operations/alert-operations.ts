import type { Duration } from '@duework/contracts';
import type { Alert, AlertSilence } from '@duework/operate';
import type { AlertSeverity } from '@duework/queue-core';
import type { OfShard } from './of-shard.js';

/** What the commands ask of alerts. */
export interface AlertOperations {
  list(): Promise<{ readonly alerts: readonly OfShard<Alert>[]; readonly silences: readonly OfShard<AlertSilence>[] }>;
  /** null: the silence ends. */
  silence(key: string, duration: Duration | null, reason: string | undefined): Promise<void>;
  acknowledge(key: string, reason: string | undefined): Promise<void>;
  test(severity: AlertSeverity, reason: string | undefined): Promise<void>;
}
