import type { RouteConfig } from '@hono/zod-openapi';

/** A route's description with further refusals; one status may have reasons of both. */
export function addProblems(doc: RouteConfig, refusals: RouteConfig['responses']): RouteConfig {
  const responses = { ...refusals, ...doc.responses };
  for (const [status, refusal] of Object.entries(refusals)) {
    const own = doc.responses[status];
    if (own === undefined || !('description' in own) || !('description' in refusal)) continue;
    const reasons = new Set([...own.description.split('; '), ...refusal.description.split('; ')]);
    responses[status] = { ...own, description: [...reasons].join('; ') };
  }
  return { ...doc, responses };
}
