import { besideFinished, besideFuture } from './beside.mjs';
import { drainOne, drainTwo } from './drain.mjs';
import { enqueue } from './enqueue.mjs';
import { growth } from './growth.mjs';
import { idle } from './idle.mjs';
import { memory } from './memory.mjs';
import { pickup100, pickup1000 } from './pickup.mjs';
import { pinned } from './pinned.mjs';
import { spike } from './spike.mjs';
import { wait } from './wait.mjs';

/** In the order of the report. Each tells its figures, whom it takes and how it measures one system; extra ones are measured when asked for. */
export const measures = [
  drainOne,
  drainTwo,
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
  ...growth,
];
