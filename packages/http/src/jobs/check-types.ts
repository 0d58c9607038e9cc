import { checkType } from '../access/check-type.js';
import type { Principal } from '../access/principal.js';

/**
 * Throws `missing_scope` unless a principal may enqueue the type of each job of a body that was answered before.
 * `pointers` are where the jobs stand in it.
 */
export function checkTypes(principal: Principal, jobs: readonly unknown[], pointers: (index: number) => string): void {
  for (const [index, job] of jobs.entries())
    checkType(principal, (job as { readonly type: string }).type, `${pointers(index)}/type`);
}
