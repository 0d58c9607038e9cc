import type { DecidedApproval } from '@duework/operate';
import { ApiError } from '../api-error.js';

/** Why a decision was not taken, in a sentence; null: it was. */
function sayRefusal({ refusal, approval }: DecidedApproval): string | null {
  const decision = approval?.decision;
  switch (refusal) {
    case null:
      return null;
    case 'not_found':
      return 'This job has no such approval.';
    case 'not_asked':
      return 'Others are asked to decide this.';
    case 'no_choice':
      return `Choose one of ${approval!.choices.join(', ')}.`;
    case 'not_yet':
      return 'The job is about to ask. Try again in a moment.';
    case 'over':
      return 'It can no longer be decided: the time is over, or the job no longer waits for it.';
    case 'decided':
      return `${decision!.by} decided at ${decision!.at}: ${decision!.choice}.`;
  }
}

/** The same as a problem; null: it was taken. */
export function refuseDecision(decided: DecidedApproval): ApiError | null {
  const why = sayRefusal(decided);
  if (why === null) return null;
  switch (decided.refusal) {
    case 'not_found':
      return new ApiError('approval_not_found', why);
    case 'not_asked':
      return new ApiError('not_asked', why);
    case 'no_choice':
      return new ApiError('invalid_body', 'The request body is not valid; see errors.', {
        errors: [{ pointer: '/choice', message: why }],
      });
    default:
      return new ApiError('approval_over', why);
  }
}
