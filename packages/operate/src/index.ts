export { type AnsweredOnce, answerOnce } from './answers/answer-once.js';
export { fingerprintRequest } from './answers/fingerprint-request.js';
export type { KeptAnswer } from './answers/kept-answer.js';
export type { RepeatableRequest } from './answers/repeatable-request.js';
