import type { Catalog } from '@duework/contracts';
import { findContract, type Queryable } from '@duework/queue-core';
import type { Sql } from '@duework/sql';
import type { BulkPlan } from './bulk-plan.js';
import { editStored } from './edit-stored.js';
import { readValue } from './edited-value.js';
import { planOfRow } from './plan-bulk-action.js';
import { resealUndos, type ResealedUndos } from './reseal-undos.js';
import { STAGES, type Stage } from './stages.js';
import { bringBack, deleteFinished, freeKeys } from './sql/act-on-history.js';
import { changeWaiting, SET } from './sql/act-on-live.js';
import type { BulkActionRow } from './sql/bulk-action-row.js';
import { cancelPicked } from './sql/cancel-picked.js';
import { editPicked, readPayloadsToEdit, scannedPayloads, type EditedPayload } from './sql/edit-picked.js';
import { scanStage, scanUndos } from './sql/scan-stage.js';
import { takeStep, type StepResult } from './sql/step-frame.js';
import { undoCancel, undoEdit, undoWaiting } from './sql/undo-picked.js';

/** So few that a statement holds its locks for some 100 ms. */
const LIMIT = 1_000;
/** How many rows a step looks at where few fit. */
const SCAN_LIMIT = 2_000;
/** Each payload comes here and goes back. */
const EDIT_LIMIT = 200;

/** One step of an action. null: somebody else has taken it. */
export async function takeNextStep(db: Queryable, catalog: Catalog, action: BulkActionRow): Promise<StepResult | null> {
  if (action.verb === 'undo') {
    const isEdit = action.options['verb'] === 'edit_payload';
    const limit = isEdit ? EDIT_LIMIT : LIMIT;
    const act = isEdit ? undoEditOf(action, await resealUndos(db, action, limit)) : undoOf(action);
    return takeStep(db, { action, scanned: scanUndos(action, limit), scanLimit: limit, limit, act, nextStage: null });
  }
  const plan = planOfRow(action);
  const stage = STAGES.find((name) => name === action.stage)!;
  const nextStage = plan.statuses.stages[plan.statuses.stages.indexOf(stage) + 1] ?? null;
  if (plan.change.verb === 'edit_payload') return takeEditStep(db, catalog, action, plan, stage, nextStage);
  const scanned = scanStage(action, plan, stage, SCAN_LIMIT);
  const act = actOf(action, plan, stage);
  return takeStep(db, { action, scanned, scanLimit: SCAN_LIMIT, limit: limitOf(action), act, nextStage });
}

/** A step is for a second at most. */
const limitOf = ({ perSecond }: BulkActionRow): number => Math.min(LIMIT, perSecond);

function actOf(action: BulkActionRow, { change }: BulkPlan, stage: Stage): Sql {
  switch (change.verb) {
    case 'retry':
      if (stage === 'live')
        return changeWaiting(
          action.id,
          SET.retry((1_000 * limitOf(action)) / action.perSecond, change.priority ?? null),
        );
      return bringBack(action.id, stage, action.perSecond, change);
    case 'cancel':
      return cancelPicked(action.id, action);
    case 'reschedule':
      return changeWaiting(action.id, SET.reschedule(new Date(change.runAt).toISOString(), change.spreadMs ?? 0));
    case 'change_priority':
      return changeWaiting(action.id, SET.priority(change.priority));
    case 'change_queue':
      return changeWaiting(action.id, SET.queue(change.queue));
    case 'free_key':
      return freeKeys(stage as Exclude<Stage, 'live'>);
    case 'delete':
      return deleteFinished(stage as Exclude<Stage, 'live'>);
    case 'edit_payload':
      throw new Error('an edit has a step of its own');
  }
}

/** `options` of an undo have the verb of the action that it undoes, and that action's options. */
function undoOf({ undoOf: undone, options }: BulkActionRow): Sql {
  if (options['verb'] === 'cancel') return undoCancel(undone!);
  return undoWaiting(undone!);
}

const undoEditOf = ({ undoOf: undone, options }: BulkActionRow, resealed: ResealedUndos): Sql =>
  undoEdit(undone!, options['path'] as readonly string[], resealed);

async function takeEditStep(
  db: Queryable,
  catalog: Catalog,
  action: BulkActionRow,
  plan: BulkPlan,
  stage: Stage,
  nextStage: Stage | null,
): Promise<StepResult | null> {
  const { change } = plan;
  if (change.verb !== 'edit_payload') throw new Error('no edit');
  const contract = findContract(catalog, action.jobType!);
  const { afterId, lastId } = action;
  const value = readValue(contract, change.path, action.options);
  const found = await readPayloadsToEdit(db, plan, change.path, { stage, afterId, lastId, limit: EDIT_LIMIT });
  const edited = found.map(({ version, payload, ...same }): EditedPayload => {
    if (same.verdict !== '') return { ...same, whole: null, flow: null };
    const made = editStored(contract, version, payload, change.path, value);
    return typeof made === 'string' ? { ...same, verdict: made, whole: null, flow: null } : { ...same, ...made };
  });
  const act = editPicked(action.id, stage, edited, { path: change.path, value });
  const scanned = scannedPayloads(edited);
  return takeStep(db, { action, scanned, scanLimit: EDIT_LIMIT, limit: EDIT_LIMIT, act, nextStage });
}
