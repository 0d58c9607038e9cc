import { besideFinished, besideFuture } from './beside.js';
import { drainOne, wait, whole } from './drain.js';
import { enqueue } from './enqueue.js';
import { flow } from './flow.js';
import { http } from './http.js';
import { idle } from './idle.js';
import type { Measure } from './measure.js';
import { memory } from './memory.js';
import { pickup100, pickup1000 } from './pickup.js';
import { pinned } from './pinned.js';
import { spike } from './spike.js';
import { steps } from './steps.js';
import { transaction } from './transaction.js';
import { workers } from './workers.js';
import { year } from './year.js';

/** All measures, in the order of the report. */
export const measures: readonly Measure[] = [
  transaction,
  ...whole,
  ...workers,
  drainOne,
  wait,
  enqueue,
  pickup100,
  pickup1000,
  idle,
  spike,
  besideFinished,
  besideFuture,
  pinned,
  memory,
  year,
  http,
  ...flow,
  steps,
];
