export { explainJob } from './explain/explain-job.js';
export type { Explanation, ExplanationCode, ExplanationFacts, Reason } from './explain/explanation.js';
export {
  FIGURE_STEPS,
  type Figures,
  type FigureStep,
  type FiguresRequest,
  readFigures,
  type Times,
} from './figures/read-figures.js';
export { listPauses } from './pauses/list-pauses.js';
export { pauseQueue } from './pauses/pause-queue.js';
export { pauseType } from './pauses/pause-type.js';
export { resumeQueue } from './pauses/resume-queue.js';
export { resumeType } from './pauses/resume-type.js';
export { type LeasedRun, type LiveWorker, readWorkers } from './workers/read-workers.js';
