import type { Catalog } from '@duework/contracts';
import { checkQueuedPayloads, type PayloadGroup, type Transactable } from '@duework/queue-core';
import { checkSavedSchedules } from '@duework/schedules';
import { formatTable } from '../output/format-table.js';
import type { Finding } from './finding.js';

const PROGRESS_STEP = 100_000;

const LEFT: Readonly<Record<PayloadGroup['state'], string>> = {
  read: '',
  unknown_type: 'waits for another worker: the type is not in this catalog',
  newer_version: 'waits for a newer worker: the version is newer than this catalog',
  older_version: 'no worker would take it: the past of its contract begins later',
};

/** What a catalog would do with what is queued and scheduled in a database. It only reads. */
export async function checkDatabasePayloads(
  db: Transactable,
  catalog: Catalog,
  progress: (text: string) => void,
): Promise<Finding> {
  let told = 0;
  const onProgress = ({ checked, about }: { checked: number; about: number }): void => {
    if (checked < told + PROGRESS_STEP) return;
    told = checked;
    progress(`${checked} payloads checked of about ${Math.max(about, checked)}\n`);
  };
  const groups = [
    ...(await checkQueuedPayloads(db, catalog, { onProgress })),
    ...(await checkSavedSchedules(db, catalog)),
  ];
  const rows = groups.map((group) => [
    group.type,
    String(group.version),
    group.stored,
    String(group.waiting),
    ...(group.state === 'read' ? [String(group.wouldParse), String(group.wouldNot)] : ['', '']),
    group.state === 'read' ? [sealedOf(group), reasonsOf(group)].filter(Boolean).join('; ') : LEFT[group.state],
  ]);
  const head = ['TYPE', 'VERSION', 'STORED AS', 'WAITING', 'WOULD PARSE', 'WOULD NOT', 'WHY'];
  return {
    table: formatTable(head, rows, 'Nothing is queued and nothing is scheduled.'),
    problems: groups.flatMap(problemOf),
  };
}

function problemOf(group: PayloadGroup): string[] {
  const name = `${group.type} version ${group.version}`;
  if (group.state === 'older_version')
    return [`${name}: ${group.waiting} ${group.stored} would not be run: the past of its contract begins later.`];
  if (group.wouldNot === 0) return [];
  return [`${name}: ${group.wouldNot} of ${group.waiting} ${group.stored} would not parse: ${reasonsOf(group)}.`];
}

function sealedOf({ sealed }: PayloadGroup): string {
  return sealed === 0 ? '' : `${sealed} are encrypted with a key that is not in DUEWORK_KEYS here`;
}

function reasonsOf({ reasons }: PayloadGroup): string {
  return reasons.map(({ reason, count }) => `${reason} (${count})`).join('; ');
}
