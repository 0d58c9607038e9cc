import type { DoctorLimits } from '../doctor-limits.js';
import { found, type Finding } from '../findings.js';
import type { DeclaredList } from '../sql/read-declarations.js';

/**
 * Programs of which living workers declare different lists of schedules. Old and new code do so while a deploy goes on:
 * so it is found where one version of the code declares two lists, or where two lists have lived side by side for
 * longer than a deploy takes.
 */
export function judgePrograms(
  lists: readonly DeclaredList[],
  { deploySeconds }: Pick<DoctorLimits, 'deploySeconds'>,
): Finding[] {
  const programs = [...new Set(lists.map(({ program }) => program))];
  return programs.flatMap((program) => {
    const ofIt = lists.filter((list) => list.program === program);
    const [oldest, next] = [...ofIt].sort((a, b) => b.seconds - a.seconds);
    const codes = ofIt.flatMap(({ codeVersions }) => codeVersions);
    const isOneCode = new Set(codes).size < codes.length;
    if (oldest === undefined || next === undefined || (!isOneCode && next.seconds <= deploySeconds)) return [];
    return [
      found(
        'program_declared_twice',
        `program ${program}`,
        `Living workers of the program ${program} declare different schedules: ${oldest.workers[0]} and ${next.workers[0]}. Each deletes what the other has declared, or is ignored.`,
        `If these are two programs, give each a name of its own: PROGRAM_NAME. If it is one, end the workers of its old code, and raise schedulesVersion.`,
      ),
    ];
  });
}
