import type { Schemas } from '../../api/api-types.js';
import { layOutJson } from '../../json/lay-out-json.js';
import { printDraft } from '../../schema/print-draft.js';
import { readField } from '../../schema/read-field.js';
import { startDraft } from '../../schema/start-draft.js';
import type { Draft } from '../schedule/read-draft.js';

/** What somebody has written of a schedule that is not there yet. */
export interface NewSchedule {
  readonly key: string;
  readonly type: string;
  /** JSON. */
  readonly payload: string;
  readonly rule: Draft;
}

type Contracts = readonly Schemas['Contract'][];

export const NO_BOUNDS = { startsAt: null, endsAt: null };

export function startSchedule(types: Contracts): NewSchedule {
  const type = types[0]?.type ?? '';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    key: '',
    type,
    payload: startText(types, type),
    rule: {
      kind: 'cron',
      texts: { cron: '0 9 * * *', every: '1h', at: '' },
      timeZone,
      missed: 'latest',
      overlap: 'skip',
    },
  };
}

/** The payload to begin with: the defaults of the type and of its fields. */
export function startText(types: Contracts, type: string): string {
  const contract = types.find((one) => one.type === type);
  if (contract === undefined) return '';
  const field = readField(contract.versions.at(-1)!.payloadSchema);
  return layOutJson(printDraft(field, startDraft(field, contract.defaults?.payload ?? undefined)) ?? '{}');
}
