import type { DoctorLimits } from '../doctor-limits.js';
import { found, type Finding } from '../findings.js';
import type { ConnectionFacts } from '../sql/read-connections.js';

/** Limits of connections that are nearly used up: then deploys, whose workers overlap, are refused. */
export function judgeConnections(limits: readonly ConnectionFacts[], { connectionsShare }: DoctorLimits): Finding[] {
  return limits
    .filter(({ limit, used }) => used >= limit * connectionsShare)
    .map(({ of, setBy, limit, used }) =>
      found(
        'connections_low',
        of,
        `${used} of the ${limit} connections of ${of} are taken: ${Math.max(0, limit - used)} are left.`,
        `Lower the pools of your programs or put a pooler between; or raise the limit (${setBy}).`,
      ),
    );
}
