import type { ExplanationCode, ExplanationFacts, Reason } from './explanation.js';
import { writeSentence } from './write-sentence.js';

export function makeReason<C extends ExplanationCode>(code: C, facts: ExplanationFacts[C]): Reason {
  // the compiler does not see that a code and its own facts are one of the pairs
  return { code, facts, sentence: writeSentence(code, facts) } as unknown as Reason;
}
